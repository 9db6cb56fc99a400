import { describe, expect, it } from 'vitest';
import { parseOptions } from './options.ts';
import { workloadNames } from './workloads.ts';

describe('options of npm run bench', () => {
  it('without any all is measured, in rounds enough for a median, and kept', () => {
    expect(parseOptions([])).toMatchObject({
      rounds: 5,
      seconds: 1,
      table: 'bench',
      connections: [1, 16, 64],
      workloads: workloadNames,
      targets: ['direct', 'haproxy', 'kingshard', 'odp'],
      peers: [],
      backendPort: null,
      write: true,
    });
  });

  it('a short run keeps nothing, and is as short as it may be unless told otherwise', () => {
    expect(parseOptions(['--short'])).toMatchObject({ rounds: 1, seconds: 1, connections: [4], write: false });
    expect(parseOptions(['--short', '--seconds', '3', '--connections', '1,2'])).toMatchObject({
      seconds: 3,
      connections: [1, 2],
    });
  });

  it('a genuine kernel and one core have tables, and usual workloads, of their own', () => {
    expect(parseOptions(['--backend', 'kernel'])).toMatchObject({
      table: 'bench-kernel',
      workloads: ['select_1', 'read_write'],
      targets: ['direct', 'haproxy', 'odp-ob20', 'odp-plain'],
    });
    expect(parseOptions(['--pin'])).toMatchObject({ table: 'bench-pinned', pin: true });
  });

  it('takes peers that somebody has started', () => {
    const options = parseOptions([
      '--peer',
      'ProxySQL,6033,41',
      '--peer',
      'other,6034,42,u@t#c',
      '--backend-port',
      '3400',
    ]);
    expect(options).toMatchObject({
      backendPort: 3400,
      peers: [
        { name: 'ProxySQL', port: 6033, pid: 41, user: 'sb@sys' },
        { name: 'other', port: 6034, pid: 42, user: 'u@t#c' },
      ],
    });
  });

  it.each([
    [['--rounds', '0'], '--rounds'],
    [['--workloads', 'read_writ'], 'read_writ'],
    [['--targets', 'mysql'], 'mysql'],
    [['--backend', 'oracle'], 'oracle'],
    [['--backend', 'kernel', '--pin'], '--pin'],
    [['--peer', 'x,port'], 'port'],
  ])('refuses %j, and names it', (args, named) => {
    expect(() => parseOptions(args)).toThrow(named);
  });
});
