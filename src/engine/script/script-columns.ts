import type { Column, ColumnType, Row } from '../../drivers/driver.ts';
import { typeOfValue, widen } from '../ops/column-types.ts';

/** Types that rows carry as texts. */
const AS_TEXT: ReadonlySet<ColumnType> = new Set(['decimal', 'date', 'time', 'timestamp', 'string']);
const WHOLE = /^-?\d+$/;

/**
 * The columns of rows that a script has made: all that any row has, in the order in which they appear. One that comes with the name of
 * an input's column keeps its type, as long as its values are of the same kind in JSON: `amount` as a decimal stays one.
 */
export class ScriptColumns {
  #columns: readonly Column[] = [];
  readonly #types = new Map<string, ColumnType>();

  /** Gives all rows the same columns, in place. */
  settle(rows: Row[], input: readonly Column[]): readonly Column[] {
    const names = namesOf(
      rows,
      this.#columns.map(({ name }) => name),
    );
    for (const [at, row] of rows.entries()) if (!hasNames(row, names)) rows[at] = withNames(row, names);
    let changed = names.length !== this.#columns.length;
    for (const name of names) {
      const before = this.#types.get(name) ?? 'unknown';
      const type = typeOfColumn(rows, name, before);
      if (type !== before) this.#types.set(name, type);
      changed ||= type !== before;
    }
    if (!changed) return this.#columns;
    const given = new Map(input.map((column) => [column.name, column]));
    this.#columns = names.map((name) => {
      const type = this.#types.get(name) ?? 'unknown';
      return {
        name,
        type: keptType(given.get(name)?.type, type, () => rows.map((row) => row[name])),
        nullable: true,
      };
    });
    return this.#columns;
  }
}

function keptType(
  given: ColumnType | undefined,
  found: ColumnType,
  values: () => readonly unknown[],
): ColumnType {
  if (given === undefined) return found;
  // Beyond 2^53 they travel as texts.
  if (
    given === 'integer' &&
    found === 'string' &&
    values().every((value) => value === null || value === undefined || WHOLE.test(String(value)))
  )
    return given;
  if (found === 'unknown' || (found === 'string' && AS_TEXT.has(given))) return given;
  return found === 'integer' && (given === 'number' || given === 'decimal') ? given : found;
}

function namesOf(rows: readonly Row[], known: readonly string[]): readonly string[] {
  const names = new Set(known);
  for (const row of rows) for (const name in row) names.add(name);
  return names.size === known.length ? known : [...names];
}

function hasNames(row: Row, names: readonly string[]): boolean {
  let at = 0;
  for (const name in row) if (name !== names[at++]) return false;
  return at === names.length;
}

function withNames(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

function typeOfColumn(rows: readonly Row[], name: string, before: ColumnType): ColumnType {
  let type = before;
  for (const row of rows) type = widen(type, typeOfValue(row[name]));
  return type;
}
