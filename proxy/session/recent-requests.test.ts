import { describe, expect, it } from 'vitest';
import { COM } from '../wire/constants.ts';
import { framePackets } from '../wire/writer.ts';
import { RecentRequests, TRACE_TEXT_BYTES } from './recent-requests.ts';
import { type ClientRequest, UNROUTED } from './request.ts';

const request = (text: string, command: number = COM.QUERY): ClientRequest => ({
  command,
  bytes: framePackets(Buffer.concat([Buffer.from([command]), Buffer.from(text)]), 0),
  complete: true,
  info: null,
  replyKind: 'result',
  statement: null,
  ...UNROUTED,
});

const textsOf = (recent: RecentRequests): string[] => recent.list().map(({ text }) => text);

describe('recent requests', () => {
  it('keeps the last ten, newest first, in the same slots', () => {
    const recent = new RecentRequests();
    expect(recent.latest).toBeNull();
    const seen = new Set<object>();
    for (let number = 1; number <= 23; number += 1) {
      recent.begin(request(`SELECT ${number}`), 'd');
      if (recent.latest !== null) seen.add(recent.latest);
      recent.sentTo(`10.0.0.${number}:2881`);
      recent.end(number === 23 ? 1317 : 0);
    }
    expect(seen.size).toBe(10);
    expect(textsOf(recent)).toEqual(Array.from({ length: 10 }, (_, index) => `SELECT ${23 - index}`));
    expect(recent.list()[0]).toMatchObject({ address: '10.0.0.23:2881', errno: 1317, database: 'd' });
    expect(recent.latest?.tookMs).toBeGreaterThanOrEqual(0);
  });

  it('tells what is running, and forgets the longer text before a shorter one', () => {
    const recent = new RecentRequests();
    for (let turn = 0; turn < 10; turn += 1) {
      recent.begin(request('SELECT a, b, c FROM somewhere'), '');
      recent.end(0);
    }
    recent.begin(request('SELECT 1'), '');
    expect(recent.running).toMatchObject({ tookMs: null, address: '' });
    expect(textsOf(recent)[0]).toBe('SELECT 1');
    recent.end(0);
    expect(recent.running).toBeNull();
    recent.end(1);
    expect(recent.latest?.errno).toBe(0);
  });

  it('keeps the beginning of a long text, and nothing of commands without one', () => {
    const recent = new RecentRequests();
    recent.begin(request('x'.repeat(5000)), '');
    expect(recent.latest?.text.length).toBe(TRACE_TEXT_BYTES + 1);
    recent.end(0);
    recent.begin(request('secret', COM.CHANGE_USER), '');
    expect(recent.latest?.text.length).toBe(0);
  });
});
