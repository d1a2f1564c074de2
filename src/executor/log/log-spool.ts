import type { Clock } from '../../base/clock.ts';
import { LOG_LEVELS, type LogLevel, logLevelName } from '../../base/run-report.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { LogLine } from '../../protocol/control-plane.ts';
import { SpoolFile } from './spool-file.ts';

export interface LogSpoolOptions {
  /** Where files go once memory does not suffice; a number is added to it. */
  readonly path: string;
  readonly bytesMax: number;
  readonly memoryBytesMax: number;
  readonly clock: Clock;
}

export type DroppedLines = Readonly<Partial<Record<LogLevel, number>>>;

/** Written to disk at once, so that a burst of long lines is not held twice. */
const WRITE_BYTES = 256 * 1024;

/** What a line takes besides its texts. */
const LINE_OVERHEAD_BYTES = 64;

/** How full the spool may be for a line of each level to be taken. */
const ROOM: Readonly<Record<LogLevel, number>> = { debug: 0.75, info: 0.9, warn: 1, error: 1 };

/**
 * The log of one attempt, from when a line is written until the control plane has it: lines get their dense `seq` here, from 1.
 *
 * The oldest lines are in memory, up to `memoryBytesMax`; once that is full, new lines go to disk until everything there has
 * been read back, so that the order is kept. Lines stay until they are acknowledged. Where the spool is 75 % full debug lines
 * are dropped, at 90 % info, and when full all: dropped lines get no `seq`, and one line says how many there were, as soon as
 * there is room. A disk that takes nothing counts as a full spool.
 *
 * The disk is an overflow, not a memory: an executor that dies loses its leases, and its runs begin anew with their own log.
 */
export class LogSpool {
  readonly #options: LogSpoolOptions;
  readonly #file: SpoolFile;
  #lines: { readonly line: LogLine; readonly bytes: number }[] = [];
  #memoryBytes = 0;
  /** On their way to disk, within one call. */
  #outgoing: { readonly text: string; readonly stands: DroppedLines }[] = [];
  #outgoingBytes = 0;
  #dropped = new Map<LogLevel, number>();
  #lastSeq = 0;
  #ackedSeq = 0;

  constructor(options: LogSpoolOptions) {
    this.#options = options;
    this.#file = new SpoolFile(options.path);
  }

  /** The `seq` of the newest line; 0 while there is none. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  get ackedSeq(): number {
    return this.#ackedSeq;
  }

  get diskBytes(): number {
    return this.#file.bytes;
  }

  /** Takes lines in their order. */
  append(lines: readonly LogLine[]): void {
    for (const line of lines) {
      const level = logLevelName(line.level);
      if (!this.#hasRoom(level)) this.noteDropped({ [level]: 1 });
      else {
        if (this.#dropped.size > 0 && this.#hasRoom('debug')) this.#tellDropped();
        this.#store(line, { [level]: 1 });
        if (this.#outgoingBytes >= WRITE_BYTES) this.#writeOut();
      }
    }
    this.#writeOut();
  }

  /** Lines that were dropped before they came here. */
  noteDropped(dropped: DroppedLines): void {
    for (const [level, count] of Object.entries(dropped) as [LogLevel, number][]) {
      this.#dropped.set(level, (this.#dropped.get(level) ?? 0) + count);
    }
  }

  /** No line comes any more: tells what was dropped since the last one. */
  end(): void {
    if (this.#dropped.size > 0) this.#tellDropped();
    this.#writeOut();
  }

  /** The oldest unacknowledged lines, at least one where there is any. They stay until they are acknowledged. */
  peek(
    linesMax: number,
    bytesMax: number,
  ): { readonly firstSeq: number; readonly lines: LogLine[]; readonly bytes: number } | null {
    this.#refill(bytesMax);
    const lines: LogLine[] = [];
    let bytes = 0;
    for (const entry of this.#lines) {
      if (lines.length > 0 && (lines.length >= linesMax || bytes + entry.bytes > bytesMax)) break;
      lines.push(entry.line);
      bytes += entry.bytes;
    }
    return lines.length === 0 ? null : { firstSeq: this.#ackedSeq + 1, lines, bytes };
  }

  /** The control plane has every line up to `seq`. */
  acknowledge(seq: number): void {
    const count = Math.min(seq - this.#ackedSeq, this.#lines.length);
    if (count <= 0) return;
    for (const { bytes } of this.#lines.splice(0, count)) this.#memoryBytes -= bytes;
    this.#ackedSeq += count;
  }

  /** Replaces the oldest line, where the control plane refuses that one for itself. */
  replaceOldest(message: string): void {
    const old = this.#lines[0];
    if (old === undefined) return;
    const { at, level } = old.line;
    this.#lines[0] = { line: { at, level, step_id: '', message, fields_json: '' }, bytes: old.bytes };
  }

  close(): void {
    this.#file.close();
    this.#lines = [];
    this.#memoryBytes = 0;
  }

  #hasRoom(level: LogLevel): boolean {
    const held = this.#memoryBytes + this.#outgoingBytes + this.#file.bytes;
    return held < this.#options.bytesMax * ROOM[level];
  }

  /** `stands`: what is lost with it; for a marker that is what it tells. */
  #store(line: LogLine, stands: DroppedLines): void {
    const bytes = bytesOf(line);
    const diskIsEmpty = this.#file.bytes === 0 && this.#outgoing.length === 0;
    const fits = this.#memoryBytes === 0 || this.#memoryBytes + bytes <= this.#options.memoryBytesMax;
    if (diskIsEmpty && fits) {
      this.#remember(line, bytes);
      this.#lastSeq += 1;
    } else {
      const text = JSON.stringify(line);
      this.#outgoing.push({ text, stands });
      this.#outgoingBytes += Buffer.byteLength(text) + 1;
    }
  }

  #writeOut(): void {
    const lines = this.#outgoing;
    if (lines.length === 0) return;
    this.#outgoing = [];
    this.#outgoingBytes = 0;
    try {
      this.#file.append(lines.map(({ text }) => text));
      this.#lastSeq += lines.length;
    } catch {
      for (const { stands } of lines) this.noteDropped(stands);
    }
  }

  #remember(line: LogLine, bytes: number): void {
    this.#lines.push({ line, bytes });
    this.#memoryBytes += bytes;
  }

  #tellDropped(): void {
    const dropped: DroppedLines = Object.fromEntries(this.#dropped);
    const count = [...this.#dropped.values()].reduce((sum, of) => sum + of, 0);
    this.#dropped = new Map();
    const message = `dropped ${count} lines: they were written faster than they could be sent`;
    const fields_json = JSON.stringify({ dropped: count, ...dropped });
    const at = this.#options.clock.now();
    this.#store({ at, level: LOG_LEVELS.warn, step_id: '', message, fields_json }, dropped);
  }

  /** Reads back from disk when memory has less than a batch. */
  #refill(bytesMax: number): void {
    while (this.#file.bytes > 0 && this.#memoryBytes < bytesMax) {
      for (const text of this.#file.take(bytesMax)) {
        const line = parseJsonText(text) as LogLine;
        this.#remember(line, bytesOf(line));
      }
    }
  }
}

function bytesOf({ step_id, message, fields_json }: LogLine): number {
  return LINE_OVERHEAD_BYTES + step_id.length + Buffer.byteLength(message) + Buffer.byteLength(fields_json);
}
