import { expect, it } from 'vitest';
import type { ConfigOverride } from '../config/config-level.ts';
import { ConfigView } from '../config/config-view.ts';
import { LeveledConfig } from '../config/leveled-config.ts';
import { internalPasswords } from './internal-passwords.ts';

it('case B99: each cluster may have passwords of its own, in force as soon as they are set', () => {
  const levels = new LeveledConfig(new ConfigView({ observer_sys_password: 'aa', observer_sys_password1: 'bb' }));
  expect(internalPasswords(levels, 'c2')).toEqual(['aa', 'bb']);
  const own: ConfigOverride = {
    level: 'LEVEL_CLUSTER',
    cluster: 'c2',
    tenant: '',
    vip: '',
    vport: 0,
    vid: -1,
    name: 'observer_sys_password',
    text: 'cc',
  };
  levels.setOverrides([own]);
  expect(internalPasswords(levels, 'c1')).toEqual(['aa', 'bb']);
  expect(internalPasswords(levels, 'c2')).toEqual(['cc', 'bb']);
});
