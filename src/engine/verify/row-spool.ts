import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cell, DigestedRow } from '../../drivers/digest/digest.ts';
import { RunFault } from '../run-fault.ts';

/** Length of the cells that are held before rows go to disk. */
const HELD_CHARS_MAX = 8_000_000;
/** Files, by the first two digits of the hash of the key: each is sorted by itself. */
const FILE_DIGITS = 2;
const LINES_HELD_MAX = 64 * 1_024;
/** Of a row beside its cells. */
const ROW_CHARS = 100;

/** Rows that come in any order and are given back in that of their keys' hashes; in files of `folder` where they are many. */
export class RowSpool {
  readonly #folder: string | null;
  readonly #stepId: string;
  #held: DigestedRow[] = [];
  #chars = 0;
  /** Lines that are not yet in their file; null while all rows are held. */
  #lines: Map<string, string> | null = null;

  constructor(folder: string | null, stepId: string) {
    this.#folder = folder;
    this.#stepId = stepId;
  }

  add(row: DigestedRow): void {
    if (this.#lines !== null) {
      this.#write(row, this.#lines);
      return;
    }
    this.#held.push(row);
    this.#chars += charsOf(row);
    if (this.#chars > HELD_CHARS_MAX) this.#spill();
  }

  async *all(): AsyncGenerator<readonly DigestedRow[]> {
    const lines = this.#lines;
    if (lines === null) {
      yield this.#held.sort(byHash);
      return;
    }
    for (const [name, rest] of lines) if (rest !== '') appendFileSync(this.#path(name), rest);
    for (const name of [...lines.keys()].sort()) {
      const text = readFileSync(this.#path(name), 'utf8');
      const rows = text.split('\n').flatMap((line) => (line === '' ? [] : [rowOf(line)]));
      yield rows.sort(byHash);
      await nextTurn();
    }
  }

  close(): void {
    this.#held = [];
    if (this.#lines !== null && this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#lines = null;
  }

  #spill(): void {
    if (this.#folder === null)
      throw new RunFault(
        'VERIFY_LIMIT',
        'Too many rows differ to be held in memory, and no disk may be used',
        {
          reason: 'task_error',
          stepId: this.#stepId,
        },
      );
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const lines = new Map<string, string>();
    this.#lines = lines;
    for (const row of this.#held.splice(0)) this.#write(row, lines);
  }

  #write({ keyHash, rowHash, cells, at }: DigestedRow, lines: Map<string, string>): void {
    const name = keyHash.slice(0, FILE_DIGITS);
    const text = `${lines.get(name) ?? ''}${JSON.stringify([keyHash, rowHash, at ?? 0, ...cells.map(lineCell)])}\n`;
    if (text.length > LINES_HELD_MAX) appendFileSync(this.#path(name), text);
    lines.set(name, text.length > LINES_HELD_MAX ? '' : text);
  }

  #path(name: string): string {
    return join(this.#folder ?? '', name);
  }
}

export function charsOf({ cells }: DigestedRow): number {
  return cells.reduce<number>((sum, cell) => sum + (cell?.length ?? 0), ROW_CHARS);
}

/** No cell is a number. */
const ABSENT = 0;

function lineCell(cell: Cell): string | null | typeof ABSENT {
  return cell === undefined ? ABSENT : cell;
}

function rowOf(line: string): DigestedRow {
  const [keyHash, rowHash, at, ...cells] = JSON.parse(line) as [string, string, number, ...unknown[]];
  return { keyHash, rowHash, at, cells: cells.map((cell) => (cell === ABSENT ? undefined : (cell as Cell))) };
}

export function byHash(a: DigestedRow, b: DigestedRow): number {
  return order(a.keyHash, b.keyHash) || order(a.rowHash, b.rowHash);
}

export function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
