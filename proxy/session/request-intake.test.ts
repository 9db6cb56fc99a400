import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { infoText, parameterTable } from '../config/parameter-table.ts';
import { framePackets } from '../wire/writer.ts';
import { type IntakeOwner, RequestIntake, WHOLE_REQUEST_BYTES } from './request-intake.ts';

/** Takes requests and is busy with each for as long as the test says. */
class Owner implements IntakeOwner {
  mayBegin = true;
  readonly begun: string[] = [];
  paused = false;
  closedWith: string | null = null;
  isBusyWith: (request: string) => boolean = () => false;

  begin(chunk: Buffer, start: number, end: number, whole: boolean): void {
    const text = chunk.toString('latin1', start + 4, end);
    this.begun.push(whole ? text : `${text.length} of a longer one`);
    this.mayBegin = !this.isBusyWith(text);
  }

  pauseReading(): void {
    this.paused = true;
  }

  resumeReading(): void {
    this.paused = false;
  }

  closeWith(reason: string): void {
    this.closedWith = reason;
    this.mayBegin = false;
  }
}

const frame = (text: string): Buffer => framePackets(Buffer.from(text), 0);

describe('requests of a client', () => {
  it('case B06 begin in order, however the bytes are cut and however long each takes', () => {
    const texts = fc.array(fc.string({ minLength: 1, maxLength: 50, unit: 'binary-ascii' }), { maxLength: 20 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat({ max: 30 })), fc.array(fc.boolean()), (requests, cuts, pauses) => {
        const owner = new Owner();
        const intake = new RequestIntake(owner);
        let turn = 0;
        owner.isBusyWith = () => pauses[turn++ % Math.max(1, pauses.length)] ?? false;
        const goOn = (): void => {
          owner.mayBegin = true;
          intake.next();
        };
        const bytes = Buffer.concat(requests.map(frame));
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          const end = Math.min(bytes.length, at + cut);
          // The read buffer is used again: what is needed later must have been copied.
          const chunk = Buffer.from(bytes.subarray(at, end));
          if (end > at) intake.take(chunk, 0, chunk.length);
          chunk.fill(0xee);
          if (cut % 2 === 0) goOn();
          at = end;
        }
        for (let count = 0; count <= requests.length; count++) goOn();
        expect(owner.begun).toEqual(requests.map((request) => Buffer.from(request).toString('latin1')));
        expect(owner.paused).toBe(false);
      }),
    );
  });

  it('a client that sends and sends is not read while one request is served', () => {
    const owner = new Owner();
    const intake = new RequestIntake(owner);
    owner.isBusyWith = () => true;
    intake.take(frame('first'), 0, 9);
    const more = Buffer.concat(Array.from({ length: 3000 }, () => frame('x'.repeat(100))));
    intake.take(more, 0, more.length);
    expect([owner.begun, owner.paused]).toEqual([['first'], true]);
    owner.isBusyWith = () => false;
    owner.mayBegin = true;
    intake.next();
    expect([owner.begun.length, owner.paused]).toEqual([3001, false]);
  });

  it('of a long request the beginning is enough, and its rest is not read before it is wanted', () => {
    const owner = new Owner();
    const intake = new RequestIntake(owner);
    owner.isBusyWith = () => true;
    const long = frame('y'.repeat(200_000));
    intake.take(long.subarray(0, 40_000), 0, 40_000);
    expect(owner.begun).toEqual([]);
    intake.take(long.subarray(40_000, 70_000), 0, 30_000);
    expect([owner.begun, owner.paused]).toEqual([['69996 of a longer one'], true]);
  });

  it('a request without a command byte ends the connection', () => {
    const owner = new Owner();
    new RequestIntake(owner).take(Buffer.from([0, 0, 0, 0]), 0, 4);
    expect(owner.closedWith).toMatch(/command byte/);
  });

  it('gives away what it keeps when that belongs to a request under way', () => {
    const owner = new Owner();
    const intake = new RequestIntake(owner);
    owner.mayBegin = false;
    intake.take(Buffer.from('abc'), 0, 3);
    expect([intake.takeKept().toString(), intake.takeKept().length]).toEqual(['abc', 0]);
  });

  it('what request_buffer_length and tunnel_request_size_threshold say of it is true', () => {
    const names = ['request_buffer_length', 'tunnel_request_size_threshold'];
    const told = parameterTable.filter(({ name }) => names.includes(name)).map(infoText);
    expect(told).toHaveLength(2);
    for (const text of told) expect(text).toContain(`always ${WHOLE_REQUEST_BYTES / 1024} KB here`);
  });
});
