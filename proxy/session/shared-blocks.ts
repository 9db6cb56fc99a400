/**
 * Session state that servers hand to the proxy in blocks (protocol 2.0), so that the client session's other server
 * sessions get it: the newest of each type counts. What is in a block only servers know.
 */
import { type SessionBlock, splitBlocks } from '../wire/ob20/session-blocks.ts';
import { LazyMap } from './lazy-map.ts';

interface BlockVersionsState {
  readonly offered: number;
  readonly current: number;
  readonly types: readonly (readonly [type: number, version: number])[];
}

interface SharedBlocksState {
  readonly version: number;
  readonly blocks: readonly (readonly [type: number, bytes: Buffer, version: number])[];
}

/** Which blocks one server session has. */
export class BlockVersions {
  readonly #versions = new LazyMap<number, number>();
  /** Version of the client session's newest block when the last request was sent. */
  offered = 0;
  /** All blocks up to this version are there, besides those of a version of their own. */
  current = 0;

  of(type: number): number {
    return this.#versions.get(type) ?? 0;
  }

  set(type: number, version: number): void {
    this.#versions.set(type, version);
  }

  /** A request has succeeded, so what was sent with it has been taken. After an error nobody knows: it is sent again. */
  requestSucceeded(): void {
    this.current = this.offered;
  }

  save(): BlockVersionsState {
    return { offered: this.offered, current: this.current, types: [...this.#versions] };
  }

  restore({ offered, current, types }: BlockVersionsState): void {
    this.offered = offered;
    this.current = current;
    for (const [type, version] of types) this.#versions.set(type, version);
  }

  reset(): void {
    this.#versions.clear();
    this.offered = 0;
    this.current = 0;
  }
}

interface KeptBlock {
  readonly bytes: Buffer;
  readonly version: number;
}

export class SharedBlocks {
  readonly #blocks = new LazyMap<number, KeptBlock>();
  #version = 0;
  #bytes = 0;

  /** What the kept blocks take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the blocks of a reply. @throws OdpError MALFORMED_PACKET */
  take(bytes: Buffer, server: BlockVersions): void {
    for (const block of splitBlocks(bytes)) this.#keep(block, server);
  }

  #keep({ type, bytes }: SessionBlock, server: BlockVersions): void {
    const version = ++this.#version;
    this.#bytes += bytes.length - (this.#blocks.get(type)?.bytes.length ?? 0);
    this.#blocks.set(type, { bytes: Buffer.from(bytes), version });
    server.set(type, version);
  }

  /** The blocks that a server session lacks, one behind the other; null when it lacks none, the usual case. */
  missing(server: BlockVersions): Buffer | null {
    server.offered = this.#version;
    if (server.current === this.#version) return null;
    const lacking: Buffer[] = [];
    for (const [type, { bytes, version }] of this.#blocks) {
      if (version > server.current && version > server.of(type)) lacking.push(bytes);
    }
    if (lacking.length > 0) return Buffer.concat(lacking);
    server.current = this.#version;
    return null;
  }

  save(): SharedBlocksState {
    const blocks = [...this.#blocks].map(([type, { bytes, version }]) => [type, bytes, version] as const);
    return { version: this.#version, blocks };
  }

  restore({ version, blocks }: SharedBlocksState): void {
    this.#version = version;
    for (const [type, bytes, at] of blocks) {
      this.#blocks.set(type, { bytes, version: at });
      this.#bytes += bytes.length;
    }
  }

  /** The session is as after log-in. */
  reset(): void {
    this.#blocks.clear();
    this.#bytes = 0;
    this.#version = 0;
  }
}
