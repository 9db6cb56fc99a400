import { describe, expect, it } from 'vitest';
import { OptionError } from './option-error.ts';
import { helpText, parseOptions } from './options.ts';

const parse = (...args: string[]) => {
  const parsed = parseOptions(args, { ODP_HOME: '/srv/odp' });
  if (parsed.kind !== 'run') throw new Error(parsed.kind);
  return parsed.options;
};

describe('start options', () => {
  it('R2 R7 the reference letters become parameters, in the order in which they count', () => {
    const line = ['-p', '2884', '-n', 'trade', '-r', '10.0.0.1:2881;10.0.0.2:2881', '-c', 'obdemo'];
    const { parameters } = parse(...line, '-o', 'enable_congestion=true,proxy_idc_name=idc1');
    expect(parameters.map(({ name, value }) => `${name}=${value}`)).toEqual([
      'enable_congestion=true',
      'proxy_idc_name=idc1',
      'rootservice_list=10.0.0.1:2881;10.0.0.2:2881',
      'rootservice_cluster_name=obdemo',
      'app_name=trade',
      'listen_port=2884',
    ]);
  });

  it('R7 the form of the source document works: attached port, -e, quoted values', () => {
    const { parameters } = parse(
      '-p2883',
      '-e',
      '-o',
      "obproxy_config_server_url='http://h/a?b=1,2',proxy_idc_name='hz001'",
    );
    expect(parameters).toEqual([
      { name: 'obproxy_config_server_url', value: 'http://h/a?b=1,2' },
      { name: 'proxy_idc_name', value: 'hz001' },
      { name: 'listen_port', value: '2883' },
    ]);
  });

  it('without options the demo cluster and the usual doors are taken', () => {
    expect(parse()).toEqual({
      parameters: [],
      demo: null,
      consoleHost: '127.0.0.1',
      consolePort: 8080,
      withConsole: true,
      resetAdmin: false,
      home: '/srv/odp',
    });
  });

  it.each([
    [['-p', '80'], '80'],
    [['-p', ''], '-p takes a port'],
    [['-p', '2883x'], '2883x'],
    [['--console-port', '70000'], '70000'],
    [['--demo', 'big'], 'big'],
    [['-o', 'novalue'], 'novalue'],
    [['--nosuch'], '--nosuch'],
    [['--demo', 'kernel', '-r', '10.0.0.1:2881'], '--demo'],
  ])('%j is refused, naming the value', (args, named) => {
    expect(() => parse(...args)).toThrow(OptionError);
    expect(() => parse(...args)).toThrow(named);
  });

  it('audit verify takes the head that was noted down, and nothing else', () => {
    const hash = 'ab'.repeat(32);
    const of = (...args: string[]) => parseOptions(['audit', ...args], { ODP_HOME: '/srv/odp' });
    expect(of('verify')).toEqual({ kind: 'audit-verify', options: { home: '/srv/odp', noted: null } });
    const noted = { id: 12, hash };
    expect(of('verify', '--head', `12:${hash}`)).toMatchObject({ options: { noted } });
    for (const wrong of [[], ['look'], ['verify', '--head', '12'], ['verify', '--port', '1'], ['verify', 'x']]) {
      expect(() => of(...wrong), wrong.join(' ')).toThrow(OptionError);
    }
  });

  it('a level of logging that there is not is refused before anything starts', () => {
    expect(() => parseOptions([], { ODP_LOG_LEVEL: 'loud' })).toThrow(/^ODP_LOG_LEVEL is one of .*, not 'loud'$/);
    expect(parseOptions([], { ODP_LOG_LEVEL: 'debug' }).kind).toBe('run');
    expect(() => parseOptions([], { ODP_SOCKETS: 'raw' })).toThrow("ODP_SOCKETS is public or not set, not 'raw'");
    expect(parseOptions([], { ODP_SOCKETS: 'public' }).kind).toBe('run');
  });

  it('the help tells of each option once, and only of options that there are', () => {
    const described = [...helpText().matchAll(/^ {2}(?:(-\w), | {4})(--[\w-]+)( [A-Z"]\S*| \w+)?/gm)];
    const letters = described.flatMap(([, letter]) => letter ?? []);
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters).toEqual(expect.arrayContaining(['-r', '-c', '-p', '-n', '-i', '-o', '-l', '-N', '-e', '-h', '-V']));
    const names = described.map(([, , name]) => name);
    expect(names.filter((name) => name !== '--demo')).toHaveLength(new Set(names).size - 1);
    const ofOrders = ['--head', '--hold', '--watch', '--md5', '--reason'];
    for (const name of names.filter((one) => !ofOrders.includes(one ?? ''))) {
      // With a value that no option takes: an unknown name would be called just that.
      expect(() => parseOptions([`${name}`, '--nosuch'], {})).toThrow(/nosuch|argument/);
    }
  });
});

describe('orders to the running product', () => {
  const order = (...args: string[]) => {
    const parsed = parseOptions(args, { ODP_HOME: '/srv/odp' });
    if (parsed.kind !== 'order') throw new Error(parsed.kind);
    return parsed.order;
  };

  it('C17: upgrade takes a tree, this one without a path; restart the one that runs', () => {
    expect(order('upgrade', '/opt/new', '--hold', '--md5', 'AB'.repeat(16), '--reason', 'v2')).toMatchObject({
      type: 'start',
      kind: 'upgrade',
      directory: '/opt/new',
      hold: true,
      watchMs: 10_000,
      md5: 'ab'.repeat(16),
      reason: 'v2',
      source: 'start',
    });
    expect(order('upgrade')).toMatchObject({ directory: expect.stringMatching(/^\/.*[^/]$/) });
    expect(order('restart', '--watch', '0.5')).toMatchObject({ kind: 'restart', directory: null, watchMs: 500 });
    expect(order('rollback')).toMatchObject({ type: 'rollback', reason: 'by command line' });
    expect(order('status')).toBeNull();
  });

  it.each([
    [['upgrade', '/one', '/two'], "'/two'"],
    [['restart', '/one'], "'/one'"],
    [['commit', '--hold'], '--hold goes with upgrade and restart only'],
    [['upgrade', '--watch', 'long'], "not 'long'"],
    [['upgrade', '--md5', '12'], "not '12'"],
  ])('%j is refused, naming the value', (args, named) => {
    expect(() => order(...args)).toThrow(OptionError);
    expect(() => order(...args)).toThrow(named);
  });
});
