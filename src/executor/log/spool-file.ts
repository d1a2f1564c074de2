import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

interface Segment {
  readonly path: string;
  readonly fd: number;
  written: number;
  read: number;
}

const SEGMENT_BYTES_MAX = 4 * 1024 * 1024;
const NEWLINE = 10;

/**
 * Lines of text on disk, first in, first out. It is a row of files of 4 MB, each removed when it has been read, so that the
 * space taken is what is unread and one file more. No file exists while nothing is held. Calls are synchronous: they reach
 * the page cache, and the order of lines needs no further care.
 */
export class SpoolFile {
  readonly #path: string;
  #segments: Segment[] = [];
  #made = 0;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes that are not read yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds lines without line breaks inside. Throws, and holds what it held, where the disk takes no more. */
  append(lines: readonly string[]): void {
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    const segment = this.#writable();
    for (let done = 0; done < bytes.length; ) {
      // Written at a fixed place, so that what a failed call left behind is written over by the next.
      done += writeSync(segment.fd, bytes, done, bytes.length - done, segment.written + done);
    }
    segment.written += bytes.length;
    this.#bytes += bytes.length;
  }

  /** Takes lines of at least one and about `bytesMax` bytes; empty when nothing is held. */
  take(bytesMax: number): string[] {
    const segment = this.#segments[0];
    if (segment === undefined) return [];
    let bytes = this.#read(segment, bytesMax);
    for (let size = bytesMax; bytes.lastIndexOf(NEWLINE) < 0; ) {
      size *= 2;
      bytes = this.#read(segment, size);
    }
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    segment.read += whole;
    this.#bytes -= whole;
    if (segment.read === segment.written) {
      this.#segments.shift();
      this.#remove(segment);
    }
    return bytes
      .subarray(0, whole - 1)
      .toString()
      .split('\n');
  }

  close(): void {
    for (const segment of this.#segments) this.#remove(segment);
    this.#segments = [];
    this.#bytes = 0;
  }

  #writable(): Segment {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.written < SEGMENT_BYTES_MAX) return last;
    const path = `${this.#path}.${this.#made}`;
    const segment = { path, fd: openSync(path, 'w+', 0o600), written: 0, read: 0 };
    this.#made += 1;
    this.#segments.push(segment);
    return segment;
  }

  #read(segment: Segment, bytesMax: number): Buffer {
    const bytes = Buffer.alloc(Math.min(bytesMax, segment.written - segment.read));
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(segment.fd, bytes, done, bytes.length - done, segment.read + done);
      if (read === 0) throw new Error('The log spool is shorter than what was written to it');
      done += read;
    }
    return bytes;
  }

  #remove(segment: Segment): void {
    closeSync(segment.fd);
    rmSync(segment.path, { force: true });
  }
}
