import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Batch, Column, Row } from '../../drivers/driver.ts';
import { RunFault } from '../run-fault.ts';

/** What is held before batches go to disk. */
const HELD_BYTES_MAX = 16 * 1_048_576;
const LENGTH_BYTES = 4;

/** Batches as they were loaded, to be read again; in a file of `folder` where they are many. */
export class KeptRows {
  readonly #folder: string | null;
  readonly #stepId: string;
  #held: Buffer[] = [];
  #bytes = 0;
  #file: number | null = null;

  constructor(folder: string | null, stepId: string) {
    this.#folder = folder;
    this.#stepId = stepId;
  }

  keep(columns: readonly Column[], rows: readonly Row[]): void {
    const batch = serialize({ columns, rows });
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(batch.byteLength);
    this.#held.push(length, batch);
    this.#bytes += LENGTH_BYTES + batch.byteLength;
    if (this.#file !== null || this.#bytes > HELD_BYTES_MAX) this.#flush();
  }

  /** In the order in which they were kept. */
  *batches(): Generator<Batch> {
    if (this.#file === null) {
      for (let at = 1; at < this.#held.length; at += 2) yield batchOf(this.#held[at] as Buffer);
      return;
    }
    const length = Buffer.alloc(LENGTH_BYTES);
    for (let at = 0; readSync(this.#file, length, 0, LENGTH_BYTES, at) === LENGTH_BYTES; ) {
      const bytes = Buffer.alloc(length.readUInt32LE());
      readSync(this.#file, bytes, 0, bytes.byteLength, at + LENGTH_BYTES);
      yield batchOf(bytes);
      at += LENGTH_BYTES + bytes.byteLength;
    }
  }

  close(): void {
    this.#held = [];
    if (this.#file === null || this.#folder === null) return;
    closeSync(this.#file);
    this.#file = null;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #flush(): void {
    if (this.#folder === null)
      throw new RunFault('VERIFY_LIMIT', 'Too many rows to be verified: no disk may be used', {
        reason: 'task_error',
        stepId: this.#stepId,
      });
    if (this.#file === null) {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#file = openSync(join(this.#folder, 'rows'), 'w+', 0o600);
    }
    const bytes = Buffer.concat(this.#held.splice(0));
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(this.#file, bytes, at);
  }
}

function batchOf(bytes: Buffer): Batch {
  return deserialize(bytes) as Batch;
}
