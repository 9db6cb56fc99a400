import { describe, expect, it } from 'vitest';
import { parseOptions } from './options.ts';
import { workloadNames } from './workloads.ts';

describe('options of npm run bench', () => {
  it('without any all is measured, in rounds enough for a median, and kept', () => {
    expect(parseOptions([])).toMatchObject({
      rounds: 5,
      seconds: 10,
      connections: [1, 16, 64],
      workloads: workloadNames,
      targets: ['direct', 'haproxy', 'odp'],
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
    [['--peer', 'x,port'], 'port'],
  ])('refuses %j, and names it', (args, named) => {
    expect(() => parseOptions(args)).toThrow(named);
  });
});
