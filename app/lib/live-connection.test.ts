import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveConnection, type LivePhase, quietLimitMs, type StreamHandlers } from './live-connection.ts';

describe('LiveConnection', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function setUp() {
    const streams: { handlers: StreamHandlers; closed: boolean }[] = [];
    const phases: LivePhase[] = [];
    const received: string[] = [];
    const poll = vi.fn();
    const connection = new LiveConnection({
      open: (handlers) => {
        const stream = { handlers, closed: false };
        streams.push(stream);
        return () => {
          stream.closed = true;
        };
      },
      onData: (data) => received.push(data),
      onStatus: ({ phase }) => phases.push(phase),
      poll,
      random: () => 0.5,
    });
    connection.start();
    return { connection, streams, phases, received, poll };
  }

  it('is live with the first event, and hands events on', () => {
    const { streams, phases, received } = setUp();
    streams[0]?.handlers.onData('hello');
    expect(phases).toEqual(['connecting', 'live']);
    expect(received).toEqual(['hello']);
  });

  it('is stale after 12 s without event or ping, polls meanwhile, and opens the stream again', () => {
    const { streams, phases, poll } = setUp();
    streams[0]?.handlers.onData('hello');
    vi.advanceTimersByTime(quietLimitMs - 1);
    expect(phases.at(-1)).toBe('live');
    vi.advanceTimersByTime(1);
    expect(phases.at(-1)).toBe('stale');
    expect(streams[0]?.closed).toBe(true);
    vi.advanceTimersByTime(750);
    expect(streams).toHaveLength(2);
    vi.advanceTimersByTime(5_000);
    expect(poll).toHaveBeenCalledOnce();
    // Still stale while it only tries; live again with an event, and no more polling then.
    expect(phases.at(-1)).toBe('stale');
    streams[1]?.handlers.onData('hello');
    expect(phases.at(-1)).toBe('live');
    vi.advanceTimersByTime(10_000);
    expect(poll).toHaveBeenCalledOnce();
  });

  it('opens a live stream that has ended again at once, and is stale only when that fails', () => {
    const { streams, phases, poll } = setUp();
    streams[0]?.handlers.onData('hello');
    streams[0]?.handlers.onError();
    expect(phases.at(-1)).toBe('connecting');
    vi.advanceTimersByTime(150);
    expect(streams).toHaveLength(2);
    streams[1]?.handlers.onData('hello');
    expect(phases).not.toContain('stale');
    streams[1]?.handlers.onError();
    vi.advanceTimersByTime(150);
    streams[2]?.handlers.onError();
    expect(phases.at(-1)).toBe('stale');
    vi.advanceTimersByTime(750);
    expect(streams).toHaveLength(4);
    expect(poll).not.toHaveBeenCalled();
  });

  it('tries again ever more slowly, at most every 15 s', () => {
    const { streams } = setUp();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const before = Date.now();
      streams.at(-1)?.handlers.onError();
      const count = streams.length;
      while (streams.length === count) vi.advanceTimersByTime(50);
      waits.push(Date.now() - before);
    }
    expect(waits).toEqual([750, 1500, 3000, 6000, 11250, 11250, 11250]);
  });

  it('rests when paused, and stops for good', () => {
    const { connection, streams, phases, poll } = setUp();
    streams[0]?.handlers.onData('hello');
    connection.pause();
    expect(phases.at(-1)).toBe('paused');
    vi.advanceTimersByTime(60_000);
    expect(streams).toHaveLength(1);
    connection.start();
    expect(streams).toHaveLength(2);
    streams[1]?.handlers.onError();
    connection.stop();
    vi.advanceTimersByTime(60_000);
    expect(streams).toHaveLength(2);
    expect(poll).not.toHaveBeenCalled();
  });
});
