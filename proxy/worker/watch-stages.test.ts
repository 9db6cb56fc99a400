import { expect, it } from 'vitest';
import type { Logger } from '../log/logger.ts';
import { stagePlaces, watchStages } from './watch-stages.ts';

it('every stage is entered by methods that are there', () => {
  for (const { of, methods } of stagePlaces)
    for (const name of methods) expect(Reflect.get(of, name)).toBeTypeOf('function');
});

it('nothing is wrapped unless it is switched on', () => {
  const before = stagePlaces.flatMap(({ of, methods }) => methods.map((name) => Reflect.get(of, name)));
  for (const seconds of [undefined, '', '0', 'often']) expect(watchStages(seconds, {} as Logger)).toBeNull();
  expect(stagePlaces.flatMap(({ of, methods }) => methods.map((name) => Reflect.get(of, name)))).toEqual(before);
});
