import { describe, expect, it } from 'vitest';
import { readClusterList, readIdcRegions, readServerLists, readVersion } from './documents.ts';
import { fillTemplate, idcListUrl, serverListUrl, versionUrl } from './urls.ts';

const url = 'http://cs/services?Action=GetObProxyConfig';
/** The mark that a name takes the place of. */
const mark = (name: string) => `\${${name}}`;
const answer = (data: unknown) => JSON.stringify({ Code: 200, Success: true, Message: 'successful', Data: data });
const server = (address: string, role = 'FOLLOWER') => ({ address, role, sql_port: 2881 });

describe('URLs of a ConfigServer', () => {
  it('R3 are made from the document’s and the list’s', () => {
    expect(versionUrl(url)).toBe(`${url}&VersionOnly=true`);
    expect(versionUrl('http://cs/doc.json')).toBe('http://cs/doc.json?VersionOnly=true');
    const list = 'http://cs/services?Action=ObRootServiceInfo&ObRegion=c1';
    expect(serverListUrl(list)).toBe(`${list}&version=2`);
    expect(idcListUrl(list, 0)).toBe('http://cs/services?Action=ObIDCRegionInfo&ObRegion=c1');
    expect(idcListUrl('http://cs/c1', 3)).toBe('http://cs/c1_idc_list?version=2&ObRegionId=3');
    const template = (name: string) => `http://cs/?a=${mark(name)}&b`;
    expect(fillTemplate(template('ObRegion'), 'c 1')).toBe('http://cs/?a=c%201&b');
    expect(fillTemplate(template('ObCluster'), 'c$&1')).toBe('http://cs/?a=c%24%261&b');
    expect(fillTemplate('http://cs/', 'c1')).toBeNull();
  });
});

describe('documents of a ConfigServer', () => {
  it('R3 GetObProxyConfig, with the old and the new names', () => {
    const data = {
      Version: 'v7',
      ObProxyBinUrl: 'http://elsewhere',
      ObRootServiceInfoUrlList: [
        { ObRegion: 'c1', ObRootServiceInfoUrl: 'http://cs/1', ObClusterAlias: 'x' },
        { ObCluster: 'c2', ObRootServiceInfoUrl: 'http://cs/2' },
      ],
    };
    expect(readClusterList(answer(data), url)).toEqual({
      version: 'v7',
      clusters: [
        { name: 'c1', rsUrl: 'http://cs/1' },
        { name: 'c2', rsUrl: 'http://cs/2' },
      ],
    });
    expect(readVersion(answer({ Version: 12 }), url)).toBe('12');
  });

  it('R3 the template form, first and second version', () => {
    const first = {
      Version: '1',
      ObRootServiceInfoUrlTemplate: `http://cs/${mark('ObRegion')}`,
      ObRegion: ['c1', 'c2'],
    };
    expect(readClusterList(answer(first), url).clusters.map(({ rsUrl }) => rsUrl)).toEqual([
      'http://cs/c1',
      'http://cs/c2',
    ]);
    const second = {
      Version: '1',
      ObRootServiceInfoUrlTemplate: `http://old/${mark('ObRegion')}`,
      ObRootServiceInfoUrlTemplateV2: `http://new/${mark('ObCluster')}`,
      ObClusterList: ['c1'],
    };
    expect(readClusterList(answer(second), url).clusters).toEqual([{ name: 'c1', rsUrl: 'http://new/c1' }]);
    expect(() => readClusterList(answer({ ...first, ObRootServiceInfoUrlTemplate: 'http://cs/' }), url)).toThrow(
      /neither/,
    );
  });

  it.each([
    ['not JSON', '{"Code":200,', /not JSON/],
    ['a wrong code', JSON.stringify({ Code: 500, Success: false, Message: 'x', Data: {} }), /Code/],
    ['no data', answer(undefined), /Data/],
    ['a wrong type', answer({ Version: '1', ObRootServiceInfoUrlList: {} }), /ObRootServiceInfoUrlList/],
    ['no URL', answer({ Version: '1', ObRootServiceInfoUrlList: [{ ObCluster: 'c1' }] }), /0\.ObRootServiceInfoUrl/],
    [
      'no name',
      answer({ Version: '1', ObRootServiceInfoUrlList: [{ ObRootServiceInfoUrl: 'u' }] }),
      /neither ObCluster/,
    ],
    ['no cluster', answer({ Version: '1', ObRootServiceInfoUrlList: [] }), /names no cluster/],
    [
      'a name twice',
      answer({
        Version: '1',
        ObRootServiceInfoUrlList: [
          { ObCluster: 'c1', ObRootServiceInfoUrl: 'u' },
          { ObRegion: 'c1', ObRootServiceInfoUrl: 'v' },
        ],
      }),
      /'c1' twice/,
    ],
  ])('R3 case B25 a document with %s is refused in words', (_what, text, message) => {
    expect(() => readClusterList(text, url)).toThrow(message);
    expect(() => readClusterList(text, url)).toThrow(url);
  });

  it('R3 a list of servers: SQL ports, roles, read-only ones; addresses of no use are left out', () => {
    const data = {
      ObRegion: 'c1',
      ObRegionId: 4,
      RsList: [
        server('10.0.0.1:2882', 'leader'),
        server('0.0.0.0:2882'),
        server('[fd00::11]:2882'),
        server('host:2882'),
      ],
      ReadonlyRsList: [server('10.0.0.9:2882')],
    };
    const [list, ...others] = readServerLists(answer(data), url, 'c1');
    expect(others).toEqual([]);
    expect(list).toMatchObject({ id: 4, isPrimary: true });
    expect(list?.rootServers.map(({ address, role, replicaType }) => [address.text, role, replicaType])).toEqual([
      ['10.0.0.1:2881', 'LEADER', 'FULL'],
      ['[fd00::11]:2881', 'FOLLOWER', 'FULL'],
      ['10.0.0.9:2881', 'FOLLOWER', 'READONLY'],
    ]);
  });

  it('R3 an array holds the primary and its standbys', () => {
    const data = [
      { ObCluster: 'c1', ObClusterId: 1, Type: 'STANDBY', RsList: [server('10.0.0.1:2882')] },
      { ObCluster: 'c1', ObClusterId: 2, Type: 'PRIMARY', RsList: [server('10.0.0.2:2882')] },
      { ObCluster: 'c1', ObClusterId: 3, Type: 'STANDBY', RsList: [] },
    ];
    expect(readServerLists(answer(data), url, 'c1').map(({ id, isPrimary }) => [id, isPrimary])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it.each([
    ['empty', { RsList: [] }, /no server with a usable address/],
    ['without usable addresses', { RsList: [server('nonsense')] }, /no server with a usable address/],
    ['of another cluster', { ObRegion: 'c9', RsList: [server('10.0.0.1:1')] }, /'c9', not of 'c1'/],
    ['with a port in quotes', { RsList: [{ address: '10.0.0.1:1', sql_port: '2881' }] }, /RsList\.0\.sql_port/],
    ['of no servers at all', { ObRegion: 'c1' }, /RsList/],
  ])('R3 case B25 a list %s is refused in words', (_what, data, message) => {
    expect(() => readServerLists(answer(data), url, 'c1')).toThrow(message);
  });

  it('R3 goes by the alias of a cluster as well', () => {
    const data = { ObRegion: 'real', ObClusterAlias: 'c1', RsList: [server('10.0.0.1:1')] };
    expect(readServerLists(answer(data), url, 'c1')).toHaveLength(1);
  });

  it('R3 IDCs with their regions', () => {
    expect(readIdcRegions(answer({ ObRegion: 'c1', IDCList: [{ idc: 'i1', region: 'r1', more: 1 }] }), url)).toEqual([
      { idc: 'i1', region: 'r1' },
    ]);
    expect(() => readIdcRegions(answer({ IDCList: [{ region: 'r1' }] }), url)).toThrow(/IDCList\.0\.idc/);
  });
});
