import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { messageOf } from '../../base/errors.ts';
import { ConnectorError } from '../driver.ts';
import { type Compression, compressionOf } from './compression.ts';
import { fileFault } from './local/file-fault.ts';
import { memoryFile } from './memory-file.ts';
import type { OpenedFile } from './storage/file-storage.ts';
import { textChunkBytes } from './text-chunks.ts';

/** What a compressed file may expand to whatever its size: contents of real files do not shrink much further than the ratio below. */
export const expandedBytesFree = 256 * 1024 * 1024;
/** Most bytes that one byte of a file may stand for beyond `expandedBytesFree`; gzip reaches 1,032, zstd far more. */
export const expansionMax = 200;
const blockBytes = 256 * 1024;

/** Bytes read of a compressed file, and bytes that they gave. */
interface Tally {
  packed: number;
  expanded: number;
}

async function* blocksOf(
  file: OpenedFile,
  from: number,
  tally: Tally,
): AsyncGenerator<Buffer, void, undefined> {
  for (let position = from; ; ) {
    const block = Buffer.allocUnsafe(blockBytes);
    const { bytesRead } = await file.handle.read(block, 0, blockBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    tally.packed = Math.max(tally.packed, position);
    yield block.subarray(0, bytesRead);
  }
}

/** One decompressor at work, from a place of the file on. */
interface Stream {
  readonly from: number;
  readonly source: Readable;
  readonly engine: ReturnType<typeof createGunzip>;
  readonly chunks: AsyncIterator<Buffer>;
}

/** The contents of a compressed file from the beginning on. */
class Expansion {
  readonly tally: Tally = { packed: 0, expanded: 0 };
  readonly #file: OpenedFile;
  readonly #compression: Compression;
  #stream: Stream;
  /** What was expanded and not read yet. */
  #held: Buffer = Buffer.alloc(0);

  constructor(file: OpenedFile, compression: Compression) {
    this.#file = file;
    this.#compression = compression;
    this.#stream = this.#open(0);
  }

  /** Where `fill` goes on, in bytes of the contents. */
  get position(): number {
    return this.tally.expanded - this.#held.length;
  }

  /** Fills `target`, except at the end; gives how many bytes there were. */
  async fill(target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length) {
      if (this.#held.length === 0) this.#held = await this.#next();
      if (this.#held.length === 0) break;
      const copied = this.#held.copy(target, filled);
      this.#held = this.#held.subarray(copied);
      filled += copied;
    }
    return filled;
  }

  async skipTo(position: number): Promise<void> {
    while (this.position < position) {
      if (this.#held.length === 0) this.#held = await this.#next();
      if (this.#held.length === 0) return;
      this.#held = this.#held.subarray(position - this.position);
    }
  }

  end(): void {
    this.#stream.source.destroy();
    this.#stream.engine.destroy();
  }

  #open(from: number): Stream {
    const options = { chunkSize: blockBytes };
    const engine = this.#compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
    const source = Readable.from(blocksOf(this.#file, from, this.tally), { objectMode: false });
    source.on('error', (error) => engine.destroy(error));
    source.pipe(engine);
    return { from, source, engine, chunks: engine[Symbol.asyncIterator]() };
  }

  /** Node goes over to the next member of gzip by itself, but ends with the first frame of zstd, and without an error. */
  #nextFrame(): Stream | null {
    const { from, engine } = this.#stream;
    const next = from + engine.bytesWritten;
    const isEnd = this.#compression === 'gzip' || next === from || next >= (this.#file.sizeBytes ?? next);
    if (isEnd) return null;
    this.end();
    return this.#open(next);
  }

  /** Empty at the end. */
  async #next(): Promise<Buffer> {
    const next = await this.#stream.chunks.next().catch((error: unknown) => {
      throw this.#fault(error);
    });
    if (next.done === true) {
      const frame = this.#nextFrame();
      if (frame === null) return Buffer.alloc(0);
      this.#stream = frame;
      return this.#next();
    }
    this.tally.expanded += next.value.length;
    const { packed, expanded } = this.tally;
    if (expanded > expandedBytesFree && expanded > packed * expansionMax) throw this.#bomb();
    return next.value;
  }

  #fault(error: unknown): unknown {
    const code = (error as { code?: unknown }).code;
    if (typeof code !== 'string' || !/^Z(?:STD)?_/i.test(code))
      return fileFault(error, this.#file.name, 'read');
    const message = `The file "${this.#file.name}" is not a complete ${this.#compression} file: ${messageOf(error)}`;
    return new ConnectorError('DATA', message, { cause: error });
  }

  #bomb(): ConnectorError {
    return new ConnectorError(
      'DATA',
      `The file "${this.#file.name}" expands to more than ${expansionMax} times its size; if that is intended, store it uncompressed`,
    );
  }
}

/**
 * The contents of a file whose name says that it is compressed (`.gz`, `.zst`); other files as they are. Reading back begins anew, so it is
 * for readers that go from the beginning to the end. Closing it closes the file. Throws `DATA` for what is no such file or is cut off, and
 * for one that stands for absurdly much.
 */
export async function expandedFile(file: OpenedFile): Promise<OpenedFile> {
  const compression = compressionOf(file.name);
  if (compression === null) return file;
  let expansion = new Expansion(file, compression);
  const close = async () => {
    expansion.end();
    await file.handle.close();
  };
  const { name, version, requireUnchanged } = file;
  // A short one is looked at as a whole, as readers do with short files.
  const head = Buffer.allocUnsafe(textChunkBytes + 1);
  const length = await expansion.fill(head);
  const short = memoryFile(name, Buffer.from(head.subarray(0, Math.min(length, textChunkBytes))));
  if (length <= textChunkBytes)
    return { ...short, version, requireUnchanged, handle: { ...short.handle, close } };
  const read = async (target: Uint8Array, offset: number, bytes: number, position: number) => {
    const wanted = target.subarray(offset, offset + bytes);
    if (position < length) return { bytesRead: head.copy(wanted, 0, position, length), buffer: target };
    if (position < expansion.position) {
      expansion.end();
      expansion = new Expansion(file, compression);
    }
    await expansion.skipTo(position);
    return { bytesRead: await expansion.fill(wanted), buffer: target };
  };
  const handle = { read: read as FileHandle['read'], close };
  return { name, version, requireUnchanged, path: null, sizeBytes: null, handle };
}
