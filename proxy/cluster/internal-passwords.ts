import { clusterScope, type LeveledConfig } from '../config/leveled-config.ts';

/** Passwords of the internal account of a cluster, as their SHA-1; each cluster may have its own (case B99). */
export function internalPasswords(levels: LeveledConfig, clusterName: string): readonly string[] {
  const config = levels.view(clusterScope(clusterName));
  return [config.text('observer_sys_password'), config.text('observer_sys_password1')];
}
