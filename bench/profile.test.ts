import { expect, it } from 'vitest';
import { selfTimes } from './profile.ts';

it('shares the time that was not idle out by function', () => {
  const frame = (functionName: string, url = '', lineNumber = -1) => ({ functionName, url, lineNumber });
  const times = selfTimes({
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('scan', 'file:///proxy/wire/scanner.ts', 9) },
      { id: 3, callFrame: frame('scan', 'file:///proxy/wire/scanner.ts', 9) },
      { id: 4, callFrame: frame('', 'file:///proxy/net/transport.ts', 0) },
    ],
    samples: [1, 2, 3, 4],
    timeDeltas: [1000, 30, 30, 40],
  });
  expect(times).toEqual([
    { name: 'scan scanner.ts:10', share: 0.6 },
    { name: '(anonymous) transport.ts:1', share: 0.4 },
  ]);
});
