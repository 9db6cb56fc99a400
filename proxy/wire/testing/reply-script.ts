/**
 * Server replies as scripts, for tests: a script is written once for the server's dialect, and once more for the
 * client's. The second is what the client must see, found without looking at the first one's bytes.
 */
import { STATUS } from '../constants.ts';
import { framePackets, PacketWriter } from '../writer.ts';

/** What was agreed on one connection. */
export interface Dialect {
  readonly deprecateEof: boolean;
  readonly sessionTrack: boolean;
}

/** The part of an OK packet behind its warnings. */
export interface OkExtras {
  readonly message: Buffer;
  /** Session-state entries; null: the packet has no state part, not even its length. */
  readonly state: Buffer | null;
  /** SESSION_STATE_CHANGED is set; a server may do so and say nothing (case B40). */
  readonly flagged: boolean;
  /** An empty message is written too, as OceanBase does. */
  readonly writesEmptyMessage: boolean;
}

interface OkStep extends OkExtras {
  readonly step: 'ok';
  readonly affectedRows: number;
  readonly insertId: number;
  readonly warnings: number;
  readonly inTransaction: boolean;
}

/** A result set; without rows and `ending` cursor: the reply to an execute that opens one. */
export interface ResultStep extends OkExtras {
  readonly step: 'result';
  readonly columns: readonly Buffer[];
  readonly rows: readonly Buffer[];
  readonly ending: 'end' | 'error' | 'cursor';
  readonly warnings: number;
}

interface ErrorStep {
  readonly step: 'error';
  readonly errno: number;
}

interface InfileStep {
  readonly step: 'infile';
  readonly name: Buffer;
}

/** A bare end mark: COM_SET_OPTION, COM_DEBUG. */
interface EndStep extends OkExtras {
  readonly step: 'end';
  readonly warnings: number;
}

export type ScriptStep = OkStep | ResultStep | ErrorStep | InfileStep | EndStep;

export type ReplyScript =
  | { readonly kind: 'result'; readonly steps: readonly ScriptStep[]; readonly extra: OkExtras }
  | {
      readonly kind: 'prepare';
      /** Null: it succeeds. */
      readonly errno: number | null;
      readonly serverId: number;
      readonly parameters: readonly Buffer[];
      readonly columns: readonly Buffer[];
      readonly extra: OkExtras;
    }
  | { readonly kind: 'rows' | 'fields'; readonly body: ResultStep; readonly extra: OkExtras }
  | { readonly kind: 'single'; readonly errno: number | null; readonly text: Buffer; readonly extra: OkExtras };

/** One packet's payload, and whether its receiver takes an ERR right behind it. */
export interface ScriptedPacket {
  readonly payload: Buffer;
  readonly errorFits: boolean;
  /** The reply stops here until a file has been sent. */
  readonly infile?: true;
}

/** Who writes: the real server, or the one that the client believes to speak with. */
export interface Writing {
  readonly dialect: Dialect;
  readonly extraOk: boolean;
  /** Null: the server itself writes. Else what it spoke, whose losses show in what the client gets. */
  readonly origin: { readonly dialect: Dialect; readonly extraOk: boolean } | null;
  readonly mapStatementId: (id: number) => number;
}

const ERROR_TEXT = 'the scripted error';

function errorPayload(errno: number): Buffer {
  return new PacketWriter().u8(0xff).u16(errno).string('#HY000').string(ERROR_TEXT).finish();
}

/** All packets of a reply, in order. */
export function writeScript(script: ReplyScript, writing: Writing): ScriptedPacket[] {
  const packets: ScriptedPacket[] = [];
  const add = (payload: Buffer, errorFits = false): void => void packets.push({ payload, errorFits });
  let extraFollows = true;
  if ((script.kind === 'prepare' || script.kind === 'single') && script.errno !== null) {
    add(errorPayload(script.errno));
  } else if (script.kind === 'result') {
    script.steps.forEach((step, index) => {
      const more = index < script.steps.length - 1 ? STATUS.MORE_RESULTS : 0;
      if (step.step === 'infile') {
        packets.push({
          payload: Buffer.concat([Buffer.of(0xfb), step.name]),
          errorFits: false,
          infile: true,
        });
      } else if (step.step === 'ok') {
        const status = STATUS.AUTOCOMMIT | more | (step.inTransaction ? STATUS.IN_TRANS : 0);
        add(okPayload(0x00, step, step.affectedRows, step.insertId, status, step.warnings, writing), more !== 0);
        extraFollows = false;
      } else if (step.step === 'error') {
        add(errorPayload(step.errno));
        extraFollows = true;
      } else if (step.step === 'end') {
        add(endPayload(step, STATUS.AUTOCOMMIT | more, step.warnings, writing), more !== 0);
        extraFollows = true;
      } else {
        add(new PacketWriter().lenenc(step.columns.length).finish());
        addResult(packets, step, more, writing);
        extraFollows = true;
      }
    });
  } else if (script.kind === 'prepare') {
    const { parameters, columns } = script;
    const id = writing.mapStatementId(script.serverId);
    add(new PacketWriter().u8(0).u32(id).u16(columns.length).u16(parameters.length).u8(0).u16(0).finish());
    for (const definitions of [parameters, columns]) {
      for (const definition of definitions) add(definition);
      if (definitions.length > 0 && !writing.dialect.deprecateEof) add(classicEof(STATUS.AUTOCOMMIT, 0));
    }
  } else if (script.kind === 'single') {
    add(script.text);
    extraFollows = false;
  } else {
    addRows(packets, script.body, 0, writing, script.kind === 'rows');
  }
  if (extraFollows && writing.extraOk) add(okPayload(0x00, script.extra, 0, 0, STATUS.AUTOCOMMIT, 0, writing));
  return packets;
}

function addResult(packets: ScriptedPacket[], step: ResultStep, more: number, writing: Writing): void {
  const { deprecateEof } = writing.dialect;
  step.columns.forEach((payload, index) => {
    packets.push({ payload, errorFits: deprecateEof && index === step.columns.length - 1 });
  });
  if (!deprecateEof && step.ending !== 'cursor') {
    // A new-style server says nothing here: the proxy can only make the mark up.
    const warnings = writing.origin?.dialect.deprecateEof ? 0 : step.warnings;
    packets.push({ payload: classicEof(STATUS.AUTOCOMMIT, warnings), errorFits: true });
  }
  addRows(packets, step, more, writing, true);
}

function addRows(
  packets: ScriptedPacket[],
  step: ResultStep,
  more: number,
  writing: Writing,
  errorFits: boolean,
): void {
  if (step.ending !== 'cursor') for (const payload of step.rows) packets.push({ payload, errorFits });
  if (step.ending === 'error') {
    packets.push({ payload: errorPayload(1317), errorFits: false });
    return;
  }
  const status = STATUS.AUTOCOMMIT | more | (step.ending === 'cursor' ? STATUS.CURSOR_EXISTS : 0);
  packets.push({ payload: endPayload(step, status, step.warnings, writing), errorFits: more !== 0 });
}

function classicEof(status: number, warnings: number): Buffer {
  return Buffer.of(0xfe, warnings & 0xff, warnings >> 8, status & 0xff, status >> 8);
}

function endPayload(extras: OkExtras, status: number, warnings: number, writing: Writing): Buffer {
  if (!writing.dialect.deprecateEof) return classicEof(status, warnings);
  // A classic server's end mark has no room for a message or state: none can come out of it.
  const carried = writing.origin && !writing.origin.dialect.deprecateEof ? NO_EXTRAS : extras;
  return okPayload(0xfe, carried, 0, 0, status, warnings, writing);
}

const NO_EXTRAS: OkExtras = { message: Buffer.alloc(0), state: null, flagged: false, writesEmptyMessage: false };

function okPayload(
  header: number,
  extras: OkExtras,
  affectedRows: number,
  insertId: number,
  status: number,
  warnings: number,
  writing: Writing,
): Buffer {
  const { origin, dialect } = writing;
  const server = origin ?? writing;
  const hasState = server.dialect.sessionTrack && extras.flagged && extras.state !== null;
  const statePasses = hasState && dialect.sessionTrack && !(origin?.extraOk ?? false);
  const flag = (origin ? statePasses : extras.flagged) ? STATUS.SESSION_STATE_CHANGED : 0;
  const writer = new PacketWriter()
    .u8(header)
    .lenenc(affectedRows)
    .lenenc(insertId)
    .u16(status | flag)
    .u16(warnings);
  if (!dialect.sessionTrack) {
    const { message } = extras;
    if (message.length === 0) return writer.finish();
    // OceanBase's own way with those that don't track state.
    const isBlankFirst = origin?.extraOk && origin.dialect.sessionTrack;
    return (isBlankFirst ? writer.u8(0x20).bytes(message) : writer.lenencBytes(message)).finish();
  }
  const untouched = origin === null || (origin.dialect.sessionTrack && !origin.extraOk);
  const writesMessage = extras.message.length > 0 || statePasses || (untouched && extras.writesEmptyMessage);
  if (writesMessage) writer.lenencBytes(extras.message);
  if (statePasses && extras.state) writer.lenencBytes(extras.state);
  return writer.finish();
}

/** The state blocks that a scanner must report, in order. */
export function expectedStates(script: ReplyScript, server: Writing): { entries: Buffer; extra: boolean }[] {
  const found: { entries: Buffer; extra: boolean }[] = [];
  if (!server.dialect.sessionTrack) return found;
  const note = (extras: OkExtras, extra: boolean): void => {
    if (extras.flagged && extras.state && extras.state.length > 0) found.push({ entries: extras.state, extra });
  };
  const noteEnd = (extras: OkExtras): void => {
    if (server.dialect.deprecateEof) note(extras, false);
  };
  let extraFollows = script.kind !== 'single' || script.errno !== null;
  if (script.kind === 'result') {
    for (const step of script.steps) {
      extraFollows = step.step !== 'ok';
      if (step.step === 'ok') note(step, false);
      if (step.step === 'end' || (step.step === 'result' && step.ending !== 'error')) noteEnd(step);
    }
  } else if ((script.kind === 'rows' || script.kind === 'fields') && script.body.ending !== 'error') {
    noteEnd(script.body);
  }
  if (extraFollows && server.extraOk) note(script.extra, true);
  return found;
}

/** Packets as bytes, numbered from `firstSequence`. */
export function frameAll(packets: readonly ScriptedPacket[], firstSequence: number): Buffer {
  let sequence = firstSequence;
  const frames = packets.map(({ payload }) => {
    const framed = framePackets(payload, sequence);
    sequence += Math.floor(payload.length / 0xffffff) + 1;
    return framed;
  });
  return Buffer.concat(frames);
}
