import { type UpgradeStart, upgradeStartSchema } from '../../proxy/control/contract.ts';

/** What is typed before an upgrade or a restart. */
export interface StartFields {
  /** Empty: the tree that runs. */
  readonly directory: string;
  /** Empty: not looked at. */
  readonly md5: string;
  /** Somebody commits or rolls back. */
  readonly hold: boolean;
  readonly watchSeconds: string;
}

/** What can be typed wrong. */
type CheckedField = Exclude<keyof StartFields, 'hold'>;

/** The longest time that a new generation may be watched: a day. */
const mostWatchSeconds = 86_400;

/** The fields that something speaks against; empty: nothing does. */
export function checkStart({ directory, md5, hold, watchSeconds }: StartFields): Partial<Record<CheckedField, true>> {
  const wrong: Partial<Record<CheckedField, true>> = {};
  if (directory.trim() !== '' && !directory.trim().startsWith('/')) wrong.directory = true;
  if (md5.trim() !== '' && !/^[0-9a-f]{32}$/i.test(md5.trim())) wrong.md5 = true;
  if (!hold && (!/^\d{1,6}$/.test(watchSeconds) || Number(watchSeconds) > mostWatchSeconds)) wrong.watchSeconds = true;
  return wrong;
}

/** The order that the fields make. @throws ZodError when `checkStart` finds something wrong */
export function startOrder(kind: UpgradeStart['kind'], fields: StartFields, reason: string): UpgradeStart {
  const { directory, md5, hold, watchSeconds } = fields;
  const isUpgrade = kind === 'upgrade';
  return upgradeStartSchema.parse({
    kind,
    directory: isUpgrade && directory.trim() !== '' ? directory.trim() : null,
    md5: isUpgrade && md5.trim() !== '' ? md5.trim().toLowerCase() : null,
    hold,
    ...(hold ? {} : { watchMs: Number(watchSeconds) * 1_000 }),
    reason,
  });
}
