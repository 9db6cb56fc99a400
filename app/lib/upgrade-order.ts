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

/** The longest time that a new generation may be watched: a day. */
const mostWatchSeconds = 86_400;

/** What speaks against each field, as a sentence; empty: nothing does. */
export function checkStart({
  directory,
  md5,
  hold,
  watchSeconds,
}: StartFields): Partial<Record<keyof StartFields, string>> {
  const wrong: Partial<Record<keyof StartFields, string>> = {};
  if (directory.trim() !== '' && !directory.trim().startsWith('/'))
    wrong.directory = 'Write the whole path, from / on.';
  if (md5.trim() !== '' && !/^[0-9a-f]{32}$/i.test(md5.trim())) wrong.md5 = 'An MD5 has 32 digits, 0 to 9 and a to f.';
  if (!hold && (!/^\d{1,6}$/.test(watchSeconds) || Number(watchSeconds) > mostWatchSeconds))
    wrong.watchSeconds = 'Write a number of seconds, at most a day.';
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
