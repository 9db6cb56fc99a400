import type { AllFigures } from '../figures.ts';
import { type Bound, goals } from '../goals.ts';
import { isWithin, type Judgement, judge, type Measured } from '../judge.ts';
import { markdownTable } from './markdown.ts';

/** Every goal with what was measured of it. */
export function goalsSection(all: AllFigures): string {
  const judgements = judge(goals, all);
  const count = (verdict: Judgement['verdict']) => judgements.filter((each) => each.verdict === verdict).length;
  const sum = `${count('met')} met, ${count('missed')} missed, ${count('not measured')} not measured.`;
  const table = markdownTable(
    [
      ['what', '-'],
      ['figure', '-'],
      ['goal', '>'],
      ['measured', '-'],
      ['verdict', '-'],
    ],
    judgements.map((each) => [
      each.what,
      each.quantity,
      boundText(each.bound),
      measuredText(each),
      each.verdict === 'missed' ? '**missed**' : each.verdict,
    ]),
  );
  return `${sum}\n\n${table}`;
}

function boundText(bound: Bound): string {
  if ('atLeast' in bound) return `≥ ${bound.atLeast}`;
  return 'above' in bound ? `> ${bound.above}` : `≤ ${bound.atMost}`;
}

/** Some are all told; of many only the worst. */
const MANY = 5;

function measuredText({ measured, bound }: Judgement): string {
  const tell = ({ at, value }: Measured): string => {
    const number = value.toFixed(value < 10 ? 2 : 0);
    return `${isWithin(value, bound) ? number : `**${number}**`}${at === '' ? '' : ` (${at})`}`;
  };
  if (measured.length <= MANY) return measured.map(tell).join(' · ');
  const sorted = [...measured].sort((left, right) => left.value - right.value);
  const worst = 'atMost' in bound ? sorted.at(-1) : sorted[0];
  return worst === undefined ? '' : `worst of ${measured.length}: ${tell(worst)}`;
}
