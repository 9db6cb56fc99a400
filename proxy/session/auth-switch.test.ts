import { createSecureContext } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../testing/certificates.ts';
import { errorLine, RawClient, textRows } from '../testing/raw-client.ts';
import { buildErr } from '../wire/err-packet.ts';
import { buildAuthSwitch } from '../wire/handshake.ts';
import { buildOk } from '../wire/ok-packet.ts';
import { framePackets } from '../wire/writer.ts';
import { type ScriptedRequest, type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { type SessionProxy, startSessionProxy } from './testing/session-proxy.ts';

const METHOD = 'caching_sha2_password';
const NONCE = Buffer.alloc(20, 'n');
const ANSWER = Buffer.alloc(32, 7);
const FAST_WORKED = Buffer.from([1, 3]);
const WANTS_PASSWORD = Buffer.from([1, 4]);
const { certificate, key } = makeCertificate('odp.test');
const inTls = { forClients: createSecureContext({ cert: certificate, key }), forServers: null, required: false };

/** Accounts whose method is not the one that the proxy asks its clients for (case B27). */
describe('a server that wants another authentication method', () => {
  let server: ScriptedServer;
  let proxy: SessionProxy;
  /** What came from the proxy behind its log-in packet. */
  let answers: ScriptedRequest[];

  beforeEach(async () => {
    server = await startScriptedServer();
    answers = [];
    server.onLogin = (connection) => connection.send([buildAuthSwitch(METHOD, NONCE)], 2);
    proxy = startSessionProxy([server], {}, inTls);
  });
  afterEach(async () => {
    proxy.close();
    await server.close();
  });

  /** The server's part behind the client's answer, once. */
  const answerWith = (payloads: readonly Buffer[]): void => {
    const usual = server.onRequest;
    server.onRequest = (request) => {
      answers.push(request);
      server.onRequest = usual;
      request.connection.send(payloads, request.sequence + 1);
    };
  };
  const loggingIn = async (authPlugin: string, tls = false): Promise<RawClient> => {
    const client = await RawClient.connect(proxy.port);
    if (tls) await client.startTls();
    client.write(client.loginFrame({ user: 'u1@t1#c1', password: 'x', authPlugin, tls }, tls ? 2 : 1));
    return client;
  };

  it.each([
    ['at once', 'mysql_native_password', false, 2],
    ['behind the method of the proxy', METHOD, false, 4],
    ['in TLS', 'mysql_native_password', true, 3],
  ])(
    'case B27 is relayed %s, with its own scramble and each side’s own numbers',
    async (_when, plugin, tls, number) => {
      answerWith([FAST_WORKED, buildOk({ status: 2 })]);
      const client = await loggingIn(plugin, tls);
      if (plugin === METHOD) {
        expect((await client.packet()).payload.toString('latin1', 1, 22)).toBe('mysql_native_password');
        client.write(framePackets(Buffer.alloc(20, 1), 3));
      }
      const asked = await client.packet();
      expect(asked.payload.equals(buildAuthSwitch(METHOD, NONCE))).toBe(true);
      expect(asked.sequence).toBe(number);
      client.write(framePackets(ANSWER, asked.sequence + 1));
      const more = await client.packet();
      expect([more.sequence, more.payload]).toEqual([number + 2, FAST_WORKED]);
      const ok = await client.packet();
      expect([ok.sequence, ok.payload[0]]).toEqual([number + 3, 0]);
      expect(answers.map(({ sequence, payload }) => [sequence, payload])).toEqual([[3, ANSWER]]);
      expect(textRows(await client.query('SELECT 5'))).toEqual([['5']]);
      client.destroy();
    },
  );

  it('case B27 an answer that is wrong is the server’s 1045, and the end', async () => {
    answerWith([buildErr({ errno: 1045, sqlState: '28000', message: 'Access denied' })]);
    const client = await loggingIn('mysql_native_password');
    const { sequence } = await client.packet();
    client.write(framePackets(ANSWER, sequence + 1));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1045 Access denied /);
    await client.closed;
  });

  it('case B27 a password that TLS protects on one side only is not asked for: 1251', async () => {
    answerWith([WANTS_PASSWORD]);
    const client = await loggingIn('mysql_native_password', true);
    const { sequence } = await client.packet();
    client.write(framePackets(ANSWER, sequence + 1));
    expect(errorLine((await client.packet()).payload)).toMatch(/^1251 .*not in TLS/);
    await client.closed;
  });

  it('case B27 a further server that wants it cannot be answered: others are used, and 1251 says why there is none', async () => {
    const usual = await startScriptedServer();
    const own = startSessionProxy([usual, server]);
    own.leaders.set('b', server.address);
    const client = await own.client();
    expect(textRows(await client.query('SELECT 2 FROM b'))).toEqual([['2']]);
    expect(usual.log).toContain('QUERY SELECT 2 FROM b');
    for (const { socket } of usual.connections) socket.destroy();
    await usual.close();
    const [packet] = await client.query('SELECT 3 FROM b');
    expect(errorLine(packet?.payload)).toMatch(/^1251 .*wants another method/);
    own.close();
  });
});
