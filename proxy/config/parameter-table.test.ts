import { describe, expect, it } from 'vitest';
import { ConfigView } from './config-view.ts';
import { parameterGroups } from './parameter-spec.ts';
import { findParameter, infoText, type ParameterName, parameterTable } from './parameter-table.ts';
import { checkServiceable } from './serviceable.ts';
import { parseValue } from './values.ts';

describe('the parameter table', () => {
  it('has names once, sound defaults and a group', () => {
    expect(new Set(parameterTable.map((spec) => spec.name)).size).toBe(parameterTable.length);
    for (const spec of parameterTable) {
      expect(() => parseValue(spec, spec.defaultText), spec.name).not.toThrow();
      expect(parameterGroups).toContain(spec.group);
      expect(spec.info.length, spec.name).toBeGreaterThan(10);
    }
    expect(() => checkServiceable(new ConfigView({}))).not.toThrow();
  });

  it('B16–B21 R7 R14 C9 has every parameter of the source documents with its default', () => {
    const defaults: Partial<Record<ParameterName, string>> = {
      enable_congestion: 'True',
      congestion_failure_threshold: '5',
      congestion_fail_window: '120s',
      congestion_retry_interval: '20s',
      min_keep_congestion_interval: '20s',
      min_congested_connect_timeout: '100ms',
      proxy_idc_name: '',
      proxy_route_policy: '',
      obproxy_config_server_url: '',
      enable_ob_protocol_v2: 'True',
      enable_transaction_internal_routing: 'True',
    };
    for (const [name, text] of Object.entries(defaults)) expect(findParameter(name)?.defaultText, name).toBe(text);
  });

  it('case B95: is searched whatever the case of the letters', () => {
    expect(findParameter('ENABLE_Congestion')?.name).toBe('enable_congestion');
    expect(findParameter('enable_congestoin')).toBeUndefined();
  });

  it('says when a parameter is not acted on yet', () => {
    for (const spec of parameterTable) {
      expect(infoText(spec).endsWith('does not act on it yet.)'), spec.name).toBe(!spec.honoured);
    }
  });
});

describe('ConfigView', () => {
  it('gives values in the units its methods name and takes changes', () => {
    const view = new ConfigView({ min_congested_connect_timeout: '1500us', from_the_future: 'x' });
    expect(view.timeMs('min_congested_connect_timeout')).toBe(1.5);
    expect(view.bytes('proxy_mem_limited')).toBe(2 ** 31);
    expect(view.bool('enable_congestion')).toBe(true);
    expect(view.int('listen_port')).toBe(2883);
    expect(view.list('username_separator')).toEqual([':', '-', '.']);
    view.apply('enable_congestion', 'OFF');
    expect(view.bool('enable_congestion')).toBe(false);
    expect(view.text('enable_congestion')).toBe('OFF');
    expect(() => view.apply('enable_congestion', 'perhaps')).toThrow('use true or false');
    expect(view.text('enable_congestion')).toBe('OFF');
  });
});
