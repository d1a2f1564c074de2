import type { RowDifference, Verification } from '../../base/run-report.ts';
import type { Cell, DigestedRow } from '../../drivers/digest/digest.ts';
import { type NormalForm, normalText } from '../../drivers/digest/normal-form.ts';
import { parseJson } from '../../drivers/json/parse-json.ts';
import type { DifferenceSink } from './compare-digests.ts';
import type { ComparedColumns } from './compared-columns.ts';

/** Keys that are remembered, for a second look and to load them again. */
export const KEYS_MAX = 100_000;
/** Of all that is listed: it travels with the end of the run. */
const LIST_CHARS_MAX = 200_000;
/** Of a value that is listed. */
const VALUE_CHARS_MAX = 200;

type Found = Pick<Verification, 'differing' | 'missing' | 'surplus' | 'columns' | 'differences'>;

interface DifferenceOptions {
  readonly listMax: number;
  /** The keys that count; null for all. */
  readonly only: ReadonlySet<string> | null;
  readonly ignoresSurplus: boolean;
  /** What is absent in the source is as the target has it. */
  readonly absentIsKept: boolean;
}

/** Counts and lists what differs. */
export class Differences implements DifferenceSink {
  /** Hashes of the keys of the source's rows that differ or are missing, and of the others; no more than `KEYS_MAX` of all. */
  readonly keys = new Set<string>();
  readonly #columns: ComparedColumns;
  readonly #options: DifferenceOptions;
  readonly #byColumn: number[];
  readonly #list: RowDifference[] = [];
  #chars = 0;
  #counts = { differing: 0, missing: 0, surplus: 0 };

  constructor(columns: ComparedColumns, options: DifferenceOptions) {
    this.#columns = columns;
    this.#options = options;
    this.#byColumn = columns.columns.map(() => 0);
  }

  /** Those that count. */
  get rows(): number {
    const { differing, missing, surplus } = this.#counts;
    return differing + missing + (this.#options.ignoresSurplus ? 0 : surplus);
  }

  differing(source: DigestedRow, target: DigestedRow): void {
    const { key, columns } = this.#columns;
    const differ = columns.flatMap((column, at) => {
      const [a, b] = [source.cells[key.length + at], target.cells[key.length + at]];
      if (a === undefined && this.#options.absentIsKept) return [];
      return isSame(a, b, column.form)
        ? []
        : [{ at, column: column.source, source: shown(a), target: shown(b) }];
    });
    if (differ.length === 0 || !this.#isWanted(source)) return;
    for (const { at } of differ) this.#byColumn[at] = (this.#byColumn[at] ?? 0) + 1;
    this.#add(
      'differing',
      source,
      differ.map(({ at: _, ...cells }) => cells),
    );
  }

  missing(source: DigestedRow): void {
    if (this.#isWanted(source)) this.#add('missing', source, []);
  }

  surplus(target: DigestedRow): void {
    // The target may have many times as many: they are counted, and no more.
    if (this.#options.ignoresSurplus) this.#counts.surplus += 1;
    else if (this.#isWanted(target)) this.#add('surplus', target, []);
  }

  textOf({ cells }: DigestedRow): string {
    const { key, columns } = this.#columns;
    const forms = [...key, ...columns].map(({ form }) => form);
    return JSON.stringify(cells.map((cell, at) => sameText(cell, forms[at] ?? 'text') ?? null));
  }

  found(): Found {
    const columns = this.#columns.columns.map(({ source }, at) => ({
      column: source,
      differing: this.#byColumn[at] ?? 0,
    }));
    return { ...this.#counts, columns, differences: this.#list };
  }

  #isWanted({ keyHash }: DigestedRow): boolean {
    const { only } = this.#options;
    return only === null || only.has(keyHash);
  }

  #add(kind: RowDifference['kind'], row: DigestedRow, columns: RowDifference['columns']): void {
    this.#counts[kind] += 1;
    if (this.keys.size < KEYS_MAX) this.keys.add(row.keyHash);
    if (this.#list.length >= this.#options.listMax || this.#chars >= LIST_CHARS_MAX) return;
    const key = this.#columns.key.map(({ source }, at) => [source, shown(row.cells[at])] as const);
    const listed = { kind, key: Object.fromEntries(key), columns };
    this.#chars += JSON.stringify(listed).length;
    this.#list.push(listed);
  }
}

/** Engines write some values in ways of their own: what their digests tell apart may still be the same. */
function isSame(a: Cell, b: Cell, form: NormalForm): boolean {
  if (a === b) return true;
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  return sameText(a, form) === sameText(b, form);
}

/** The same text for values that are the same. */
function sameText(cell: Cell, form: NormalForm): Cell {
  if (cell === null || cell === undefined) return null;
  if (form === 'engine') return normalText(parsed(cell), 'json');
  return form === 'number' ? normalText(cell, form) : cell;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function shown(cell: Cell): string | null {
  if (cell === null || cell === undefined) return null;
  return cell.length > VALUE_CHARS_MAX ? `${cell.slice(0, VALUE_CHARS_MAX)}…` : cell;
}
