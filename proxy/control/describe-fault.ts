import type { DemoFault } from './contract.ts';

/** A fault as the history tells it: what was done, and to whom. */
export function describeFault(fault: DemoFault): string {
  switch (fault.fault) {
    case 'stop':
    case 'start':
    case 'freeze':
    case 'thaw':
      return `${fault.fault} ${fault.server}`;
    case 'refuse':
      return `${fault.server} refuses new connections`;
    case 'accept':
      return `${fault.server} accepts connections again`;
    case 'slow':
      return fault.delayMs === 0
        ? `${fault.server} answers at once again`
        : `${fault.server} answers ${fault.delayMs} ms late`;
    case 'error':
      return fault.errno === 0
        ? `${fault.server} answers without errors again`
        : `${fault.server} answers every statement with error ${fault.errno}`;
    case 'partition': {
      const target = fault.region === undefined ? (fault.server ?? '') : `region ${fault.region}`;
      return fault.cut ? `network to ${target} cut` : `network to ${target} mended`;
    }
    case 'merge':
      return fault.merging ? `merge of ${fault.zone} begun` : `merge of ${fault.zone} ended`;
    case 'rollingMerge':
      return fault.perZoneMs === 0
        ? 'rolling merge ended'
        : `rolling merge begun, ${fault.perZoneMs / 1000} s for each zone`;
    case 'leader':
      return `leaders of ${fault.server} moved to ${fault.to}`;
    case 'spreadLeaders':
      return 'leaders sent back to where they were at first';
    case 'reset':
      return 'all faults ended, leaders sent back';
  }
}
