import { describe, expect, it } from 'vitest';
import { parameterTable } from '../../proxy/config/parameter-table.ts';
import { whatIfRequestSchema } from '../../proxy/control/contract.ts';
import { changesBlocklist, changesRoutes, plannedTexts } from './effects.ts';

const change = (name: string) => ({ parameter: { name }, value: 'x' });

describe('what can be tried before it is changed', () => {
  it('the blocklist: all that a replay takes, and the switch', () => {
    for (const name of Object.keys(whatIfRequestSchema.shape.parameters.shape)) {
      expect(changesBlocklist([change(name)]), name).toBe(true);
    }
    expect(changesBlocklist([change('enable_congestion')])).toBe(true);
    expect(changesBlocklist([change('proxy_idc_name')])).toBe(false);
  });

  it('routes: parameters that there are, each with its new text', () => {
    const all = parameterTable.map(({ name }) => change(name));
    expect(Object.keys(plannedTexts(all))).toHaveLength(12);
    expect(changesRoutes([change('congestion_fail_window')])).toBe(false);
    expect(plannedTexts([change('congestion_fail_window'), change('proxy_idc_name')])).toEqual({ proxy_idc_name: 'x' });
  });
});
