import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfigView } from '../config/config-view.ts';
import { infoText, parameterTable } from '../config/parameter-table.ts';
import { until } from '../testing/proxy.ts';
import { type RawClient, textRows } from '../testing/raw-client.ts';
import { clientSocketOptions, serverSocketOptions } from './socket-options.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

/** What the kernel does next on the connection from one port to another, and in how many seconds. */
function nextTimer(localPort: number, remotePort: number): { kind: 'none' | 'probe' | 'other'; seconds: number } {
  const ending = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, local = '', remote = '', , , timer = ''] = line.trim().split(/\s+/);
    if (!local.endsWith(ending(localPort)) || !remote.endsWith(ending(remotePort))) continue;
    const [kind, hundredths = ''] = timer.split(':');
    const seconds = Number.parseInt(hundredths, 16) / 100;
    return { kind: kind === '00' ? 'none' : kind === '02' ? 'probe' : 'other', seconds };
  }
  throw new Error(`no connection from ${localPort} to ${remotePort}`);
}

describe('socket parameters', () => {
  it('become options of new sockets, 0 being the values of Linux', () => {
    expect(clientSocketOptions(new ConfigView({}))).toEqual({
      noDelay: true,
      keepAlive: { idleSeconds: 5, intervalSeconds: 5, probes: 5 },
    });
    const server = {
      sock_option_flag_out: '2',
      server_tcp_keepidle: '0',
      server_tcp_keepintvl: '0',
      server_tcp_keepcnt: '0',
    };
    expect(serverSocketOptions(new ConfigView(server))).toEqual({
      noDelay: false,
      keepAlive: { idleSeconds: 7200, intervalSeconds: 75, probes: 9 },
    });
    expect(serverSocketOptions(new ConfigView({ sock_option_flag_out: '1' })).keepAlive).toBeNull();
  });

  it('that Node cannot set say so', () => {
    const unset = parameterTable
      .filter(({ name }) => /_tcp_|^sock_|^client_sock_/.test(name))
      .filter((spec) => !spec.honoured);
    expect(unset.map(({ name }) => name).sort()).toEqual([
      'client_tcp_user_timeout',
      'server_tcp_init_cwnd',
      'server_tcp_user_timeout',
      'sock_recv_buffer_size_out',
      'sock_send_buffer_size_out',
    ]);
    for (const spec of unset)
      expect(infoText(spec)).toMatch(/the kernel's own value counts, .* does not act on it yet/);
  });
});

describe('keep-alive of real connections', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;

  const start = async (parameters: Readonly<Record<string, string>>): Promise<RawClient> => {
    server = await startScriptedServer();
    proxy = startSessionProxy([server], parameters);
    return proxy.client();
  };
  afterEach(async () => {
    proxy.close();
    await server.close();
  });
  const clientTimer = (): ReturnType<typeof nextTimer> => {
    const [session] = [...proxy.context.registry];
    return nextTimer(proxy.port, session?.port ?? 0);
  };
  const serverTimer = (): ReturnType<typeof nextTimer> => {
    const [connection] = [...server.connections];
    return nextTimer(connection?.socket.remotePort ?? 0, server.port);
  };

  it('case B20 C16 is in force on both sides, each with its own time', async () => {
    await start({ client_tcp_keepidle: '3000', server_tcp_keepidle: '6000' });
    // Bytes on the way come first, for as long as they are not acknowledged.
    await until('probes are next', () => clientTimer().kind === 'probe' && serverTimer().kind === 'probe');
    expect(clientTimer().seconds).toBeGreaterThan(2000);
    expect(clientTimer().seconds).toBeLessThanOrEqual(3000);
    expect(serverTimer().seconds).toBeGreaterThan(5000);
    expect(serverTimer().seconds).toBeLessThanOrEqual(6000);
  });

  it('can be switched off on either side', async () => {
    await start({ client_sock_option_flag_out: '1', sock_option_flag_out: '0' });
    await until('nothing is on the way', () => clientTimer().kind !== 'other' && serverTimer().kind !== 'other');
    expect([clientTimer().kind, serverTimer().kind]).toEqual(['none', 'none']);
  });

  it('case B20 a user time-out below the interval of the probes ends no healthy connection', async () => {
    const client = await start({
      client_tcp_user_timeout: '1',
      client_tcp_keepidle: '1',
      client_tcp_keepintvl: '2',
    });
    // Answered probes start the timer anew: two of them, each longer ago than the user time-out.
    for (let probe = 0; probe < 2; probe++) {
      await until('a probe is due', () => clientTimer().kind === 'probe' && clientTimer().seconds < 0.5);
      await until('it has been answered', () => clientTimer().kind === 'probe' && clientTimer().seconds > 0.5);
    }
    expect(textRows(await client.query('SELECT 1'))).toEqual([['1']]);
  });
});
