import { EventEmitter } from 'node:events';
import { OdpError } from '../errors/odp-error.ts';
import type { DatabaseWriter } from '../history/database.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { HistoryEntry } from '../history/history-log.ts';
import type { Actor, HistoryRow } from '../history/history-row.ts';
import type { HistoryStore } from '../history/history-store.ts';
import {
  closeProposal,
  type Decision,
  decidedProposals,
  findProposal,
  type ProposedChange,
  type StoredProposal,
  saveProposal,
  waitingProposals,
} from '../history/proposals.ts';
import { scopeText } from './config-level.ts';
import type { ChangeRequest, ChangeResult, ConfigStore, WantedChange } from './config-store.ts';
import { findParameter } from './parameter-table.ts';
import { textToShow } from './plan-changes.ts';
import { overrideKey } from './plan-overrides.ts';
import { closedError, isOverdue, type ProposalStep, stateAfter } from './proposal-rules.ts';
import type { ScheduledReverts } from './scheduled-reverts.ts';
import { secretMask } from './values.ts';

/** A proposal that nobody has decided by then is over (ms). */
const waitMs = 24 * 3_600_000;

/** Proposals that may wait at a time: a script must not fill the list that people are to read. */
const maxWaiting = 100;

/** Decided ones that `list` has. */
const decidedListed = 20;

const steps = {
  approve: 'proposal.approve',
  refuse: 'proposal.refuse',
  withdraw: 'proposal.withdraw',
} as const satisfies Record<ProposalStep, HistoryEntry['action']>;

/** Who proposes or decides. */
export interface Person {
  readonly actor: Actor;
  /** Of the account: a name may be given to somebody else. */
  readonly accountId: number;
}

/** What a proposal would change, and what has become of that parameter since. */
export interface Moved {
  readonly value: string | null;
  readonly by: string | null;
  readonly at: Date | null;
}

interface ProposalOptions {
  readonly history: HistoryStore;
  readonly store: ConfigStore;
  readonly reverts: ScheduledReverts;
  readonly now?: () => Date;
}

/**
 * Changes that need a second person (four_eyes_parameters). They are checked like any change when they are proposed, kept
 * in the database, and made when somebody else approves them, in one transaction with the end of the proposal.
 */
export class Proposals {
  readonly #history: HistoryStore;
  readonly #store: ConfigStore;
  readonly #reverts: ScheduledReverts;
  readonly #now: () => Date;
  readonly #changed = new EventEmitter();

  constructor({ history, store, reverts, now = () => new Date() }: ProposalOptions) {
    this.#history = history;
    this.#store = store;
    this.#reverts = reverts;
    this.#now = now;
    this.#changed.setMaxListeners(0);
  }

  /** Calls `listener` when one is made, decided or over. @returns the function that ends it */
  onChanged(listener: (id: number) => void): () => void {
    this.#changed.on('changed', listener);
    return () => this.#changed.off('changed', listener);
  }

  /**
   * Makes a change, or a proposal of it if any of its parameters needs a second person.
   * @param revertAfterMs it goes back by itself so long after it is made; null: it stays
   * @throws OdpError what `ConfigStore.change` and `ScheduledReverts.change` throw; TOO_MANY_PROPOSALS
   */
  async change(
    request: ChangeRequest,
    person: Person,
    revertAfterMs: number | null,
  ): Promise<ChangeResult & { readonly proposal: StoredProposal | null }> {
    let proposal: StoredProposal | null = null;
    const propose = async (wanted: readonly WantedChange[]): Promise<void> => {
      proposal = await this.#propose(request.reason, person, wanted, revertAfterMs);
    };
    const result = await this.#make({ ...request, propose }, revertAfterMs);
    return { ...result, proposal };
  }

  /** All that wait, the oldest first, then some of those that are decided, the newest first. */
  async list(): Promise<StoredProposal[]> {
    const { database } = this.#history;
    return [...(await waitingProposals(database)), ...(await decidedProposals(database, decidedListed))];
  }

  /** @throws OdpError NOT_FOUND: it never was, or is known to the history alone by now */
  async find(id: number): Promise<StoredProposal> {
    const proposal = await findProposal(this.#history.database, id);
    if (proposal === null) throw new OdpError('NOT_FOUND', { detail: `proposal ${id}` });
    return proposal;
  }

  /** What has become of a parameter since it was proposed to change it; null: nobody has changed it. */
  moved({ name, scope, baseRevision }: ProposedChange): Moved | null {
    const spec = findParameter(name);
    if (spec === undefined) return { value: null, by: null, at: null };
    if (scope === null) {
      const { revision, storedText, changedBy, changedAt } = this.#store.parameter(spec.name);
      return revision === baseRevision ? null : { value: textToShow(spec, storedText), by: changedBy, at: changedAt };
    }
    const key = overrideKey(spec.name, scope);
    const now = this.#store.overrides(spec.name).find((one) => overrideKey(spec.name, one.scope) === key);
    if ((now?.revision ?? 0) === baseRevision) return null;
    if (now === undefined) return { value: null, by: null, at: null };
    return { value: textToShow(spec, now.text), by: now.changedBy, at: now.changedAt };
  }

  /**
   * Makes the change that somebody else has proposed.
   * @throws OdpError PROPOSAL_CLOSED, PROPOSAL_PERSON, PROPOSAL_STALE, and what the change itself throws: then it still waits
   */
  async approve(id: number, person: Person, reason: string): Promise<ChangeResult> {
    const proposal = await this.find(id);
    this.#judge(proposal, 'approve', person);
    const { changes, proposer, revertAfterMs } = proposal;
    try {
      return await this.#make(
        {
          ...person.actor,
          consent: 'approved',
          changes: changes.flatMap(({ name, scope, newValue: value, baseRevision }) =>
            scope === null && value !== null ? [{ name, value, baseRevision }] : [],
          ),
          overrides: changes.flatMap(({ name, scope, newValue: value, baseRevision }) =>
            scope === null ? [] : [{ name, scope, value, baseRevision }],
          ),
          reason: `proposal ${id} of ${proposer}: ${proposal.reason}; approved by ${person.actor.actor}: ${reason}`,
          alongside: async (writer) => [await this.#close(writer, proposal, 'approve', person, reason)],
        },
        revertAfterMs,
      );
    } finally {
      // Also when it is not in force everywhere: it is made.
      this.#changed.emit('changed', id);
    }
  }

  /** @throws OdpError PROPOSAL_CLOSED, PROPOSAL_PERSON, STORE_FAILED */
  async refuse(id: number, person: Person, reason: string): Promise<void> {
    await this.#end(id, 'refuse', person, reason);
  }

  /** @throws OdpError PROPOSAL_CLOSED, PROPOSAL_PERSON, STORE_FAILED */
  async withdraw(id: number, person: Person, reason: string): Promise<void> {
    await this.#end(id, 'withdraw', person, reason);
  }

  /** Writes down which are over. @throws OdpError STORE_FAILED */
  async expire(): Promise<void> {
    const waiting = await waitingProposals(this.#history.database);
    for (const proposal of waiting.filter((one) => isOverdue(one, this.#now()))) {
      const { id, expiresAt } = proposal;
      const actor: Actor = { actor: 'odp', source: 'system', origin: '', requestId: `proposal-${id}` };
      await this.#transaction(async (writer, announce) => {
        const decision = { state: 'expired', decidedBy: 'odp', decidedAt: expiresAt } as const;
        const decisionReason = 'nobody decided it in time';
        // Decided a moment ago, or written down by another process.
        if (!(await closeProposal(writer, id, { ...decision, decisionReason }, withoutSecrets(proposal.changes))))
          return;
        announce(await this.#write(writer, actor, 'proposal.expire', proposal, decisionReason));
      });
      this.#changed.emit('changed', id);
    }
  }

  #make(request: ChangeRequest, revertAfterMs: number | null): Promise<ChangeResult> {
    if (revertAfterMs === null) return this.#store.change(request);
    return this.#reverts.change(request, new Date(this.#now().getTime() + revertAfterMs));
  }

  async #propose(
    reason: string,
    { actor, accountId }: Person,
    wanted: readonly WantedChange[],
    revertAfterMs: number | null,
  ): Promise<StoredProposal> {
    const proposedAt = this.#now();
    const proposal = await this.#transaction(async (writer, announce) => {
      const count = (await waitingProposals(writer)).length;
      if (count >= maxWaiting) throw new OdpError('TOO_MANY_PROPOSALS', { count });
      const saved = await saveProposal(writer, {
        proposer: actor.actor,
        proposerId: accountId,
        proposedAt,
        expiresAt: new Date(proposedAt.getTime() + waitMs),
        reason,
        changes: wanted.map(({ spec, scope, oldText, newText, baseRevision }) => {
          const oldValue = oldText === null ? null : textToShow(spec, oldText);
          return { name: spec.name, scope, oldValue, newValue: newText, baseRevision };
        }),
        revertAfterMs,
      });
      for (const { name, scope, oldValue, newValue } of withoutSecrets(saved.changes)) {
        const where = { parameter: name, scope: scope === null ? '' : scopeText(scope) };
        const entry = { action: 'proposal.create', ...where, oldValue, newValue } as const;
        announce(await this.#history.log.insert(writer, actor, { ...entry, reason: told(saved, reason) }, proposedAt));
      }
      return saved;
    });
    this.#changed.emit('changed', proposal.id);
    return proposal;
  }

  async #end(id: number, step: 'refuse' | 'withdraw', person: Person, reason: string): Promise<void> {
    const proposal = await this.find(id);
    this.#judge(proposal, step, person);
    await this.#transaction(async (writer, announce) =>
      announce(await this.#close(writer, proposal, step, person, reason)),
    );
    this.#changed.emit('changed', id);
  }

  #judge(proposal: StoredProposal, step: ProposalStep, { accountId }: Person): ReturnType<typeof stateAfter> {
    const moved = proposal.changes.filter((change) => this.moved(change) !== null).map(({ name }) => name);
    return stateAfter(proposal, step, accountId, this.#now(), [...new Set(moved)]);
  }

  /** Ends it in the caller's transaction. @throws OdpError PROPOSAL_CLOSED when somebody was faster */
  async #close(
    writer: DatabaseWriter,
    proposal: StoredProposal,
    step: ProposalStep,
    person: Person,
    decisionReason: string,
  ): Promise<HistoryRow> {
    const { id, changes } = proposal;
    const state = this.#judge(proposal, step, person);
    const decision: Decision = { state, decidedBy: person.actor.actor, decidedAt: this.#now(), decisionReason };
    if (!(await closeProposal(writer, id, decision, withoutSecrets(changes)))) {
      throw closedError((await findProposal(writer, id)) ?? proposal);
    }
    return await this.#write(writer, person.actor, steps[step], proposal, decisionReason);
  }

  async #write(
    writer: DatabaseWriter,
    actor: Actor,
    action: HistoryEntry['action'],
    proposal: StoredProposal,
    reason: string,
  ): Promise<HistoryRow> {
    const [only = '', ...others] = new Set(proposal.changes.map(({ name }) => name));
    const entry = { action, parameter: others.length === 0 ? only : '', reason: told(proposal, reason) };
    return await this.#history.log.insert(writer, actor, entry, this.#now());
  }

  /** Rows are announced after the commit. */
  async #transaction<Result>(
    run: (writer: DatabaseWriter, announce: (row: HistoryRow) => void) => Promise<Result>,
  ): Promise<Result> {
    const rows: HistoryRow[] = [];
    try {
      const result = await this.#history.database.$transaction((writer) => run(writer, (row) => rows.push(row)));
      this.#history.log.announce(rows);
      return result;
    } catch (error) {
      if (error instanceof OdpError) throw error;
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
  }
}

/** A reason as the history keeps it. */
const told = ({ id, proposer }: StoredProposal, reason: string): string => `proposal ${id} of ${proposer}: ${reason}`;

/** As it may be shown, and kept when nobody needs the text any more. */
export function withoutSecrets(changes: readonly ProposedChange[]): ProposedChange[] {
  return changes.map((change) => {
    const isOpen = findParameter(change.name)?.secret === false || change.newValue === null;
    return isOpen ? change : { ...change, newValue: secretMask };
  });
}
