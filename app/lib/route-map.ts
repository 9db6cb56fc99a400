import type { Cluster } from '../../proxy/control/contract.ts';
import { topologyTree } from './topology-tree.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of the map: its box, and what is written on it. */
export interface MapNode extends Box {
  readonly kind: 'region' | 'idc' | 'zone' | 'server';
  /** Name of the region, IDC or zone, or the server's address; empty: not known. */
  readonly name: string;
  /** Stable and unique in the map. */
  readonly key: string;
}

export interface RouteMap {
  readonly width: number;
  readonly height: number;
  /** What contains comes before what is contained. */
  readonly nodes: readonly MapNode[];
}

const GAP = 10;
const TITLE = 24;
const PAD = 8;
const SERVER_HEIGHT = 46;
const SERVER_GAP = 6;
/** An IDC is not narrower than this: an address has to fit in. */
const MIN_IDC_WIDTH = 224;

/**
 * Lays a cluster out: regions contain IDCs, IDCs zones, zones servers. IDCs stand beside one another as far as the width
 * allows, and so do regions.
 * @param width to fill, in pixels
 */
export function layOutMap(cluster: Cluster, width: number): RouteMap {
  const tree = topologyTree(cluster);
  const columns = Math.max(1, Math.floor((width + GAP) / (MIN_IDC_WIDTH + 2 * PAD + GAP)));
  const column = (width - (columns - 1) * GAP) / columns;
  const nodes: MapNode[] = [];
  let y = 0;
  let used = 0;
  let rowHeight = 0;
  for (const region of tree) {
    const span = Math.min(columns, region.idcs.length);
    if (used + span > columns) {
      y += rowHeight + GAP;
      used = 0;
      rowHeight = 0;
    }
    const box = { x: used * (column + GAP), y, width: span * column + (span - 1) * GAP };
    const key = `region ${region.name}`;
    const at = nodes.length;
    const inner = { x: box.x + PAD, y: y + TITLE, width: box.width - 2 * PAD };
    const bottom = layOutIdcs(region.idcs, inner, span, key, nodes);
    const height = bottom - y + PAD;
    nodes.splice(at, 0, { kind: 'region', name: region.name, key, ...box, height });
    rowHeight = Math.max(rowHeight, height);
    used += span;
  }
  return { width, height: y + rowHeight, nodes };
}

type Area = Pick<Box, 'x' | 'y' | 'width'>;
type Idcs = ReturnType<typeof topologyTree>[number]['idcs'];

function layOutIdcs(idcs: Idcs, area: Area, columns: number, parent: string, nodes: MapNode[]): number {
  const width = (area.width - (columns - 1) * GAP) / columns;
  let { y } = area;
  for (let first = 0; first < idcs.length; first += columns) {
    const row = idcs.slice(first, first + columns);
    const heights = row.map(({ zones }) => TITLE + zones.reduce((sum, zone) => sum + zoneHeight(zone) + GAP, 0));
    const height = Math.max(...heights);
    row.forEach((idc, index) => {
      const key = `${parent} idc ${idc.name}`;
      const box = { x: area.x + index * (width + GAP), y, width, height };
      nodes.push({ kind: 'idc', name: idc.name, key, ...box });
      layOutZones(idc.zones, { x: box.x + PAD, y: y + TITLE, width: width - 2 * PAD }, key, nodes);
    });
    y += height + GAP;
  }
  return y - GAP;
}

type Zones = Idcs[number]['zones'];

const zoneHeight = ({ servers }: Zones[number]): number =>
  TITLE + Math.max(1, servers.length) * (SERVER_HEIGHT + SERVER_GAP) + PAD - SERVER_GAP;

function layOutZones(zones: Zones, area: Area, parent: string, nodes: MapNode[]): void {
  let { y } = area;
  for (const zone of zones) {
    const height = zoneHeight(zone);
    const key = `${parent} zone ${zone.name}`;
    nodes.push({ kind: 'zone', name: zone.name, key, x: area.x, y, width: area.width, height });
    zone.servers.forEach(({ address }, index) => {
      nodes.push({
        kind: 'server',
        name: address,
        key: `server ${address}`,
        x: area.x + PAD,
        y: y + TITLE + index * (SERVER_HEIGHT + SERVER_GAP),
        width: area.width - 2 * PAD,
        height: SERVER_HEIGHT,
      });
    });
    y += height + GAP;
  }
}
