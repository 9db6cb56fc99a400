import { expect, it } from 'vitest';
import { describeFault } from './describe-fault.ts';

it.each([
  [{ fault: 'freeze', server: 's' }, 'freeze s'],
  [{ fault: 'refuse', server: 's' }, 's refuses new connections'],
  [{ fault: 'accept', server: 's' }, 's accepts connections again'],
  [{ fault: 'slow', server: 's', delayMs: 500 }, 's answers 500 ms late'],
  [{ fault: 'slow', server: 's', delayMs: 0 }, 's answers at once again'],
  [{ fault: 'error', server: 's', errno: 4013 }, 's answers every statement with error 4013'],
  [{ fault: 'error', server: 's', errno: 0 }, 's answers without errors again'],
  [{ fault: 'partition', region: 'HANGZHOU', cut: true }, 'network to region HANGZHOU cut'],
  [{ fault: 'partition', server: 's', cut: false }, 'network to s mended'],
  [{ fault: 'merge', zone: 'zone4', merging: true }, 'merge of zone4 begun'],
  [{ fault: 'merge', zone: 'zone4', merging: false }, 'merge of zone4 ended'],
  [{ fault: 'rollingMerge', perZoneMs: 20_000 }, 'rolling merge begun, 20 s for each zone'],
  [{ fault: 'rollingMerge', perZoneMs: 0 }, 'rolling merge ended'],
  [{ fault: 'leader', server: 'a', to: 'b' }, 'leaders of a moved to b'],
  [{ fault: 'spreadLeaders' }, 'leaders sent back to where they were at first'],
  [{ fault: 'reset' }, 'all faults ended, leaders sent back'],
] as const)('%j is told as: %s', (fault, text) => {
  expect(describeFault(fault)).toBe(text);
});
