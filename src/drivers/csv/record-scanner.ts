import { ConnectorError } from '../driver.ts';
import { hasBadBytes } from '../files/text-chunks.ts';
import { sizeText } from '../row-limits.ts';

const QUOTE = 34;
const CR = 13;
const SPACE = 32;
const TAB = 9;

/** Most columns of a file. */
export const csvColumnsMax = 16_384;
/** Fields that are found before rows are made of them. */
const blockFields = 32_768;

export interface ScannerOptions {
  readonly name: string;
  readonly delimiter: string;
  /** Fields of each record. */
  readonly width: number;
  readonly ragged: 'error' | 'pad';
  /** The line on which the text begins; default 1. */
  readonly firstLine?: number;
  /** The line ends with a lone carriage return. */
  readonly loneReturns: boolean;
  /** Longest record: beyond it a quote was most likely never closed. */
  readonly recordCharsMax: number;
}

/** A record that is no row of the file; the next one begins behind `end`, a place in the scanner's text. */
export class MalformedRecordError extends ConnectorError {
  readonly end: number;
  /** On which it begins, from 1. */
  readonly line: number;

  constructor(message: string, end: number, line: number) {
    super('DATA', message);
    this.end = end;
    this.line = line;
  }
}

/**
 * Finds the records of CSV text (RFC 4180) that comes in pieces; knows quotes that span pieces and lines. It makes no
 * strings: `fields` holds the start and the end of each field of `text`, and whoever wants a value cuts or parses it from
 * there. A quoted field has its start as `~start`; its end is `~end` when it holds doubled quotes.
 *
 * Use: `feed(text, isLast)`, then `scan()` until it returns 0. Throws `DATA` that names the line; after a `MalformedRecordError`
 * `skip` passes over the record, and scanning goes on.
 */
export class RecordScanner {
  /** What the offsets in `fields` count in. */
  text = '';
  readonly fields: Int32Array;
  /** The line on which each record begins, from 1. */
  readonly lines: Int32Array;
  readonly #name: string;
  readonly #delimiter: string;
  readonly #lineEnd: string;
  readonly #width: number;
  readonly #pads: boolean;
  readonly #recordsMax: number;
  readonly #recordCharsMax: number;
  #at = 0;
  /** Records of the current `scan`. */
  #found = 0;
  /** The first delimiter at or behind some earlier place: looked for again only when passed. */
  #nextDelimiter = -1;
  #isLast = false;
  /** Line of `#at`, from 1. */
  #line: number;
  #doubled = false;
  #quotedLines = 0;
  /** Set when the text may have bytes that are not of its encoding. */
  checksBytes = false;

  constructor(options: ScannerOptions) {
    this.#name = options.name;
    this.#line = options.firstLine ?? 1;
    this.#delimiter = options.delimiter;
    this.#lineEnd = options.loneReturns ? '\r' : '\n';
    this.#width = options.width;
    this.#pads = options.ragged === 'pad';
    this.#recordCharsMax = options.recordCharsMax;
    this.#recordsMax = Math.max(1, Math.floor(blockFields / options.width));
    this.fields = new Int32Array(this.#recordsMax * options.width * 2);
    this.lines = new Int32Array(this.#recordsMax);
  }

  feed(text: string, isLast: boolean): void {
    const rest = this.text.length - this.#at;
    if (rest > this.#recordCharsMax) {
      const size = sizeText(this.#recordCharsMax);
      throw this.#fault(this.#line, `the record is longer than ${size}; a quote may not be closed`);
    }
    this.text = rest === 0 ? text : this.text.slice(this.#at) + text;
    this.#at = 0;
    this.#isLast = isLast;
  }

  /** Finds the next records; returns how many. 0 means that more text is needed, or the end. */
  scan(): number {
    this.#found = 0;
    // A record that was begun and not taken has moved it too far.
    this.#nextDelimiter = -1;
    try {
      while (this.#at < this.text.length && this.#found < this.#recordsMax && this.#scanRecord()) {
        // Each round takes one record, or skips an empty line.
      }
    } catch (error) {
      // The records before a mistake are good: the next call meets it again, as its first.
      if (this.#found === 0 && this.#isWhole(error)) throw error;
    }
    return this.#found;
  }

  /** Passes over the record that `scan` has just refused; gives its text. */
  skip({ end }: MalformedRecordError): string {
    const record = this.text.slice(this.#at, end);
    this.#line += record.split(this.#lineEnd).length;
    this.#at = Math.min(end + 1, this.text.length);
    return record.endsWith('\r') ? record.slice(0, -1) : record;
  }

  /** Whether all of a record that is refused is there; more of it may come with the next text. */
  #isWhole(error: unknown): boolean {
    return this.#isLast || !(error instanceof MalformedRecordError) || error.end < this.text.length;
  }

  /** Takes the record at `#at`; false when the text ends before the record does. */
  #scanRecord(): boolean {
    const { text, fields } = this;
    const base = this.#found * this.#width * 2;
    const limit = base + this.#width * 2;
    let at = this.#at;
    let line = this.#line;
    let into = base;
    let hasMore = false;
    let lineEnd = this.#lineEndFrom(at);
    for (let isMore = true; isMore; ) {
      let start = at;
      let end: number;
      let next: number;
      if (at < text.length && text.charCodeAt(at) === QUOTE) {
        start = ~(at + 1);
        at = this.#closingQuote(at + 1);
        if (at === -1) return this.#goOn('a quote is not closed');
        end = this.#doubled ? ~at : at;
        line += this.#quotedLines;
        next = this.#afterQuote(at + 1, line);
        if (lineEnd < next) lineEnd = this.#lineEndFrom(next);
      } else {
        if (this.#nextDelimiter < at) this.#nextDelimiter = this.#delimiterFrom(at);
        next = Math.min(this.#nextDelimiter, lineEnd);
        end = next;
        if (next === lineEnd && end > start && text.charCodeAt(end - 1) === CR) end--;
      }
      isMore = next < lineEnd;
      if (!isMore && lineEnd === text.length && !this.#isLast) return false;
      if (into < limit) {
        fields[into] = start;
        fields[into + 1] = end;
      } else if (!this.#pads || start !== end) hasMore = true;
      into += 2;
      at = next + 1;
    }
    const isEmpty = into === base + 2 && fields[base] === this.#at && fields[base + 1] === this.#at;
    if (!isEmpty) {
      if (hasMore)
        throw this.#malformed(`there are more fields than the ${this.#width} columns of the file`, lineEnd);
      if (into < limit) this.#pad(into, limit, (into - base) / 2, lineEnd);
      if (this.checksBytes && hasBadBytes(text.slice(this.#at, lineEnd)))
        throw this.#malformed('there are bytes that are not UTF-8', lineEnd);
      this.lines[this.#found] = this.#line;
      this.#found++;
    }
    this.#at = Math.min(at, text.length);
    this.#line = line + 1;
    return true;
  }

  #lineEndFrom(at: number): number {
    const found = this.text.indexOf(this.#lineEnd, at);
    return found === -1 ? this.text.length : found;
  }

  #delimiterFrom(at: number): number {
    const found = this.text.indexOf(this.#delimiter, at);
    return found === -1 ? this.text.length : found;
  }

  /** The text ends before the record: an error when nothing follows. */
  #goOn(problem: string): false {
    if (this.#isLast) throw this.#fault(this.#line, problem);
    return false;
  }

  /** Position of the quote that closes, or -1; `#doubled` and `#quotedLines` tell what lies before it. */
  #closingQuote(from: number): number {
    const { text } = this;
    const lineEnd = this.#lineEnd.charCodeAt(0);
    this.#doubled = false;
    this.#quotedLines = 0;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === lineEnd) this.#quotedLines++;
      if (code !== QUOTE) continue;
      if (at + 1 === text.length || text.charCodeAt(at + 1) !== QUOTE) return at;
      this.#doubled = true;
      at++;
    }
    return -1;
  }

  /** Blanks and a carriage return may follow a closing quote; anything else is a mistake. */
  #afterQuote(from: number, line: number): number {
    const { text } = this;
    const delimiter = this.#delimiter.charCodeAt(0);
    const lineEnd = this.#lineEnd.charCodeAt(0);
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === delimiter || code === lineEnd) return at;
      if (code !== SPACE && code !== TAB && code !== CR)
        throw this.#malformed('there is text after a closing quote', this.#lineEndFrom(at), line);
    }
    return at;
  }

  #pad(from: number, to: number, found: number, end: number): void {
    if (!this.#pads)
      throw this.#malformed(
        `${found === 1 ? 'there is 1 field' : `there are ${found} fields`}, but the file has ${this.#width} columns`,
        end,
      );
    this.fields.fill(0, from, to);
  }

  #malformed(problem: string, end: number, line = this.#line): MalformedRecordError {
    return new MalformedRecordError(this.#message(line, problem), end, this.#line);
  }

  #fault(line: number, problem: string): ConnectorError {
    return new ConnectorError('DATA', this.#message(line, problem));
  }

  #message(line: number, problem: string): string {
    return `The file "${this.#name}", line ${line}: ${problem}`;
  }
}

/** The text of a field, without its quotes. */
export function fieldText(text: string, start: number, end: number): string {
  if (start >= 0) return text.slice(start, end);
  return end >= 0 ? text.slice(~start, end) : text.slice(~start, ~end).replaceAll('""', '"');
}
