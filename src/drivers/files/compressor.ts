import type { Transform } from 'node:stream';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { Compression } from './compression.ts';

/** Compresses what is written, as one gzip member or zstd frame. Memory holds what was given and not taken yet. */
export class Compressor {
  readonly #engine: Transform;
  #done: Uint8Array[] = [];

  constructor(compression: Compression) {
    this.#engine = compression === 'gzip' ? createGzip() : createZstdCompress();
    this.#engine.on('data', (chunk: Uint8Array) => this.#done.push(chunk));
  }

  /** What is ready by now. */
  async write(bytes: string | Uint8Array): Promise<Uint8Array> {
    await new Promise<void>((resolve, reject) => {
      this.#engine.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    return this.#taken();
  }

  async end(): Promise<Uint8Array> {
    await new Promise<void>((resolve, reject) => {
      this.#engine.once('end', resolve).once('error', reject);
      this.#engine.end();
    });
    return this.#taken();
  }

  /** Frees it, whatever its state. */
  close(): void {
    this.#engine.destroy();
  }

  #taken(): Uint8Array {
    const bytes = Buffer.concat(this.#done);
    this.#done = [];
    return bytes;
  }
}
