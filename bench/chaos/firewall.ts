/** Takes a server off the network: packets from and to its port on loopback are dropped, or its port is closed. */
import { execFileSync } from 'node:child_process';
import { findProgram } from '../../proxy/testing/find-program.ts';

/** `drop`: packets vanish. `reject`: the machine answers that nobody listens, and resets what is open. */
export type Firewalling = 'drop' | 'reject';

/** So that a rule left behind by a crash can be told from others: `iptables -S | grep odp-chaos`. */
const MARK = 'odp-chaos';

/** Why there is no firewall to be had; null: there is. */
export function firewallMissing(): string | null {
  if (findProgram('iptables') === null) return 'iptables is not installed';
  if (process.getuid?.() !== 0) return 'only root may change the firewall';
  try {
    iptables('-S', 'INPUT');
    return null;
  } catch (error) {
    return `iptables does not work here: ${error instanceof Error ? error.message.trim() : String(error)}`;
  }
}

export class Firewall {
  /** Rules in force, to be taken back in any case. */
  readonly #rules: string[][] = [];

  /** Until `open`. @param address `ip:port` */
  close(address: string, how: Firewalling): void {
    const [ip = '', port = ''] = address.split(':');
    const target = how === 'drop' ? ['DROP'] : ['REJECT', '--reject-with', 'tcp-reset'];
    const mark = ['-m', 'comment', '--comment', MARK, '-j', ...target];
    this.#add('-p', 'tcp', '-d', ip, '--dport', port, ...mark);
    if (how === 'drop') this.#add('-p', 'tcp', '-s', ip, '--sport', port, ...mark);
  }

  /** Takes back every rule. */
  open(): void {
    for (const rule of this.#rules.splice(0)) iptables('-D', 'INPUT', ...rule);
  }

  #add(...rule: string[]): void {
    iptables('-I', 'INPUT', ...rule);
    this.#rules.push(rule);
  }
}

function iptables(...args: string[]): void {
  execFileSync('iptables', ['-w', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
}
