/** A side of a comparison as the URL keeps it: `now`, `defaults`, `time:2026-03-01T10:00:00Z`, `entry:12`, `file`. */
import { type CompareSide, type ConfigFile, compareSideSchema } from '../../proxy/control/contract.ts';

/** The kinds that can be chosen. */
export const sideKinds = ['now', 'time', 'entry', 'file', 'defaults'] as const;
export type SideKind = (typeof sideKinds)[number];

export interface SideText {
  readonly kind: SideKind;
  /** Of a time or an entry; may be empty or wrong while somebody types. */
  readonly value: string;
}

export function readSide(text: string): SideText {
  const [kind = '', value = ''] = text.split(/:(.*)/s);
  const known = sideKinds.find((one) => one === kind);
  return known === undefined ? { kind: 'now', value: '' } : { kind: known, value };
}

export function writeSide({ kind, value }: SideText): string {
  return kind === 'time' || kind === 'entry' ? `${kind}:${value}` : kind;
}

/** Null: not to be asked yet, since something is missing or wrong. */
export function sideOf({ kind, value }: SideText, file: ConfigFile | null): CompareSide | null {
  const raw =
    kind === 'entry'
      ? { kind, id: /^\d+$/.test(value) ? Number(value) : null }
      : kind === 'time'
        ? { kind, at: value }
        : kind === 'file'
          ? { kind, file }
          : { kind };
  return compareSideSchema.safeParse(raw).data ?? null;
}
