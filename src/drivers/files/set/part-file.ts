import type { FileHandle } from 'node:fs/promises';
import type { Batch } from '../../driver.ts';
import type { Compression } from '../compression.ts';
import { Compressor } from '../compressor.ts';
import { openSpool, spooledWrites } from '../storage/spool-file.ts';
import type { SetFileContents } from './set-format.ts';

/** Bytes that are held before they go to the disk. */
const HELD_BYTES = 64 * 1024;
const READ_BYTES = 1024 * 1024;

/** A file of a set that rows still come for: its contents in a file of this machine without a name. */
export class PartFile {
  readonly #name: string;
  readonly #contents: SetFileContents;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #spool: FileHandle | null = null;
  #writes: ReturnType<typeof spooledWrites> | null = null;

  constructor(name: string, contents: SetFileContents) {
    this.#name = name;
    this.#contents = contents;
  }

  /** Bytes of the file so far, before they are compressed. */
  get sizeBytes(): number {
    return this.#heldBytes + (this.#writes?.sizeBytes() ?? 0);
  }

  /** What is held in memory for the file, in bytes, about. */
  get memoryBytes(): number {
    return this.#heldBytes + (this.#contents.heldBytes?.() ?? 0);
  }

  prepare(batch: Batch): () => Promise<void> {
    const take = this.#contents.prepare(batch);
    return () => this.#write(take());
  }

  /** Moves what is held to the disk. */
  async flush(): Promise<void> {
    await this.#write(this.#contents.flush?.() ?? '');
    await this.#spill();
  }

  /** The whole file, which is closed at its end. */
  async *ended(compression: Compression | null): AsyncGenerator<Uint8Array, void, undefined> {
    const made = this.#contents.made?.(this.#bytes());
    if (made === undefined) await this.#write(this.#contents.end());
    const compressor = compression === null ? null : new Compressor(compression);
    try {
      for await (const bytes of made ?? this.#bytes())
        yield compressor === null ? bytes : await compressor.write(bytes);
      if (compressor !== null) yield await compressor.end();
    } finally {
      compressor?.close();
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#spool?.close();
    this.#spool = null;
  }

  async *#bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    const size = this.#writes?.sizeBytes() ?? 0;
    for (let at = 0; at < size; ) {
      const block = Buffer.allocUnsafe(Math.min(READ_BYTES, size - at));
      const { bytesRead } = (await this.#spool?.read(block, 0, block.length, at)) ?? { bytesRead: 0 };
      if (bytesRead === 0) break;
      at += bytesRead;
      yield block.subarray(0, bytesRead);
    }
    if (this.#heldBytes > 0) yield Buffer.concat(this.#held);
  }

  async #write(content: string | Uint8Array): Promise<void> {
    if (content.length === 0) return;
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes >= HELD_BYTES) await this.#spill();
  }

  async #spill(): Promise<void> {
    if (this.#heldBytes === 0) return;
    this.#spool ??= await openSpool(this.#name);
    this.#writes ??= spooledWrites(this.#spool, this.#name, 0);
    await this.#writes.write(Buffer.concat(this.#held));
    this.#held = [];
    this.#heldBytes = 0;
  }
}
