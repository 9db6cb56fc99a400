import { afterEach, describe, expect, it, vi } from 'vitest';
import { socketsInUse } from './handles.ts';
import { internalBinding, loadRawHandles } from './raw-handles.ts';

const bindings = process as unknown as { binding(name: string): object };

const internal = (name: string): object => internalBinding(name) as object;

afterEach(() => vi.restoreAllMocks());

describe('the way to have connections', () => {
  it('is raw handles where Node has all that is used of them', () => {
    expect(socketsInUse).toBe('raw handles');
  });

  it.each([
    ['tcp_wrap', { TCPConnectWrap: undefined }, 'tcp_wrap.TCPConnectWrap'],
    ['stream_wrap', { WriteWrap: undefined }, 'stream_wrap.WriteWrap'],
    ['stream_wrap', { streamBaseState: undefined }, 'stream_wrap.streamBaseState'],
    ['stream_wrap', { kLastWriteWasAsync: undefined }, 'stream_wrap.streamBaseState'],
  ])('is told what a Node lacks whose %s has no %o', (name, without, told) => {
    const changed = { ...internal(name), ...without };
    const untouched = internal(name === 'tcp_wrap' ? 'stream_wrap' : 'tcp_wrap');
    vi.spyOn(bindings, 'binding').mockImplementation((asked) => (asked === name ? changed : untouched));
    expect(loadRawHandles()).toBe(`Node ${process.version} has no ${told}`);
  });

  it('is told of a method that is missing', () => {
    const whole = internalBinding('tcp_wrap') as { TCP: { prototype: object } };
    class Handle extends (whole.TCP as unknown as new (type: number) => object) {
      readonly readStop = undefined;
    }
    const stream = internal('stream_wrap');
    vi.spyOn(bindings, 'binding').mockImplementation((name) =>
      name === 'tcp_wrap' ? { ...whole, TCP: Handle } : stream,
    );
    expect(loadRawHandles()).toBe(`Node ${process.version} has no TCP.readStop`);
  });

  it('is told that a Node gives nothing of its own away', () => {
    vi.spyOn(bindings, 'binding').mockImplementation((name) => {
      throw new Error(`No such binding: ${name}`);
    });
    expect(loadRawHandles()).toBe(`Node ${process.version} does not give its bindings: No such binding: tcp_wrap`);
  });
});
