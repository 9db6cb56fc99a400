import { describe, expect, it } from 'vitest';
import { type permissionSchema, roleSchema } from './contract.ts';
import { permissionDescriptions, rolePermissions } from './permissions.ts';

const rolesWith = (right: (typeof permissionSchema.options)[number]) =>
  roleSchema.options.filter((role) => rolePermissions[role].includes(right));

describe('roles', () => {
  it('on call: ends and releases, and changes no setting', () => {
    for (const right of ['sessions.kill', 'blocklist.release', 'locations.refresh'] as const) {
      expect(rolesWith(right), right).toEqual(['operator', 'dba', 'administrator']);
    }
    expect(rolesWith('parameters.write')).toEqual(['dba', 'administrator']);
  });

  it('auditor: sees and downloads the history and the users, and nothing that changes anything', () => {
    expect(rolesWith('users.read')).toEqual(['auditor', 'administrator']);
    const changing = /write|release|refresh|kill|upgrade|manage/;
    expect(rolePermissions.auditor.filter((right) => changing.test(right))).toEqual([]);
    expect(rolePermissions.auditor).toContain('history.export');
    expect(rolePermissions.auditor).not.toContain('sessions.statements');
  });

  it('the administrator alone runs programs and makes users, and has every right', () => {
    expect(rolesWith('proxy.upgrade')).toEqual(['administrator']);
    expect(rolesWith('users.manage')).toEqual(['administrator']);
    expect(rolePermissions.administrator).toEqual(Object.keys(permissionDescriptions));
  });

  it('every role sees at least what a viewer sees', () => {
    for (const role of roleSchema.options) {
      expect(rolePermissions[role], role).toEqual(expect.arrayContaining([...rolePermissions.viewer]));
    }
  });
});
