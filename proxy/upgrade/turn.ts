import type { UpgradeOutcome, UpgradePhase } from './status-names.ts';
import type { Generation, Moment, Order, Refusal, Run, UpgradeEffect, UpgradeState } from './types.ts';

/** Who is named for what nobody has ordered. */
export const byItself = (reason: string): Order => ({ by: 'odp', source: 'system', reason });

/** One event's worth of change: the state as it becomes, and what is to be done. */
export class Turn {
  readonly state: UpgradeState;
  readonly at: Moment;
  readonly effects: UpgradeEffect[] = [];
  refusal: Refusal | null = null;

  /** @param state is changed */
  constructor(state: UpgradeState, at: Moment) {
    this.state = state;
    this.at = at;
  }

  do(effect: UpgradeEffect): void {
    this.effects.push(effect);
  }

  /** Undefined: it has ended. */
  find(id: number | null): Generation | undefined {
    return this.state.generations.find((generation) => generation.id === id);
  }

  /** One that is known to be there. */
  generation(id: number): Generation {
    const generation = this.find(id);
    if (generation === undefined) throw new Error(`generation ${id} is not there`);
    return generation;
  }

  /** Its process is gone. */
  remove(id: number): void {
    this.state.generations = this.state.generations.filter((generation) => generation.id !== id);
  }

  /** The run that is under way; null: none is. */
  get run(): Run | null {
    const { run } = this.state;
    return run !== null && run.outcome === null ? run : null;
  }

  enter(run: Run, phase: UpgradePhase): void {
    this.state.phase = phase;
    run.phaseSinceMs = this.at.nowMs;
  }

  /** Notes what has happened in the run, for people. */
  step(run: Run, text: string, { by, source, reason, role = '', token = '', origin = '' }: Order = byItself('')): void {
    const who = { by, source, role, token, origin };
    const step = { number: run.steps.length + 1, at: this.at, phase: this.state.phase, text, ...who };
    run.steps.push(step);
    this.do({ type: 'record', run: run.number, step, reason });
    this.do({ type: 'say', text: `${run.order.kind} ${run.number}: ${text}` });
  }

  /** The run is over. */
  finish(run: Run, outcome: UpgradeOutcome, text: string): void {
    run.outcome = outcome;
    run.endedAt = this.at;
    this.step(run, `${outcome}: ${text}`);
    this.state.phase = 'idle';
  }

  /** Starts the next generation. */
  start(directory: string, trial: boolean, md5: string | null = null): number {
    const id = ++this.state.lastGeneration;
    this.state.generations.push({
      id,
      directory,
      startedAt: this.at,
      role: 'starting',
      pid: 0,
      lastHeardMs: this.at.nowMs,
      report: null,
      isEnding: false,
    });
    this.do({ type: 'start', generation: id, directory, trial, md5 });
    return id;
  }

  /** The generation takes new clients from now on. */
  activate(generation: Generation): void {
    for (const other of this.state.generations) if (other.role === 'active') other.role = 'standby';
    generation.role = 'active';
    this.state.active = generation.id;
    this.state.restartAtMs = null;
    this.state.failedStarts = 0;
  }

  kill(generation: Generation | undefined): void {
    if (generation === undefined || generation.isEnding) return;
    generation.isEnding = true;
    this.do({ type: 'kill', generation: generation.id });
  }

  end(generation: Generation): void {
    if (generation.isEnding) return;
    generation.isEnding = true;
    generation.role = 'leaving';
    this.do({ type: 'end', generation: generation.id, delayMs: this.state.settings.delayExitMs });
  }
}
