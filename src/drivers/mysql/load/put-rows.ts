import type { Row } from '../../driver.ts';
import { quoteIdentifier } from '../../sql/identifier.ts';
import { NULL_TEXT } from '../../sql/load/line-bytes.ts';
import { blocksOf, compileLines, type LineWriter } from '../../sql/load/row-lines.ts';
import type { Losses } from '../../values/losses.ts';
import { type MysqlClient, ROWS_FILE } from '../mysql-client.ts';
import { isLocalInfileOff, isServerError } from '../mysql-fault.ts';
import type { Cell, CellWrap } from './cell-text.ts';

/** Text of one INSERT: below the smallest `max_allowed_packet` that a server has by default. */
const insertCharsMax = 1_024 * 1_024;
/** A LOAD DATA of fewer rows gains nothing, and the halves of a batch that was refused are mostly refused again. */
const loadRowsMin = 100;

/** Where rows of one shape go, and how they are written. */
export interface PutTarget {
  /** The table, quoted. */
  readonly table: string;
  readonly names: readonly string[];
  readonly cells: readonly Cell[];
  readonly lines: LineWriter;
}

export function putTarget(table: string, names: readonly string[], cells: readonly Cell[]): PutTarget {
  return { table, names, cells, lines: compileLines(names, cells) };
}

/** How rows are put in; `bulk` becomes false where the server turns out not to take LOAD DATA LOCAL. */
export interface PutWay {
  bulk: boolean;
  /** Of the rows that are put in. */
  readonly losses: Losses;
}

/**
 * Puts the rows in. LOAD DATA LOCAL forgives what does not fit, so that a batch of which it has anything to say is taken back by
 * `undo` and goes in again by INSERT, which refuses. Rejects with the server's error, after which some rows may be in.
 */
export async function putRows(
  client: MysqlClient,
  way: PutWay,
  target: PutTarget,
  rows: readonly Row[],
  undo: () => Promise<unknown>,
): Promise<void> {
  if (way.bulk && rows.length >= loadRowsMin) {
    const lines = new Lines(blocksOf(rows, target.lines));
    try {
      const { changed, warnings } = await client.load(loadSql(target), lines);
      if (lines.error !== null) throw lines.error;
      if (warnings === 0 && changed === rows.length) return;
    } catch (error) {
      if (lines.error !== null) throw lines.error;
      if (!isServerError(error)) throw error;
      if (isLocalInfileOff(error)) way.bulk = false;
    }
    way.losses.restart();
    await undo();
  }
  for (const sql of insertsOf(target, rows)) await client.query(sql);
}

/** Blocks up to a value that does not fit: the server, which has asked for a file, gets an end of it all the same. */
class Lines implements Iterable<Buffer> {
  readonly #blocks: Iterable<Buffer>;
  error: unknown = null;

  constructor(blocks: Iterable<Buffer>) {
    this.#blocks = blocks;
  }

  *[Symbol.iterator](): Generator<Buffer> {
    try {
      yield* this.#blocks;
    } catch (error) {
      this.error = error;
    }
  }
}

/** https://dev.mysql.com/doc/refman/8.4/en/load-data.html */
function loadSql({ table, names, cells }: PutTarget): string {
  const fields = names.map((name, i) => (cells[i]?.wrap === 'plain' ? quoteIdentifier(name) : `@v${i}`));
  const sets = names.flatMap((name, i) => {
    const wrap = cells[i]?.wrap ?? 'plain';
    return wrap === 'plain' ? [] : [`${quoteIdentifier(name)} = ${wrapped(`@v${i}`, wrap)}`];
  });
  const set = sets.length === 0 ? '' : ` SET ${sets.join(', ')}`;
  return `LOAD DATA LOCAL INFILE '${ROWS_FILE}' INTO TABLE ${table} CHARACTER SET utf8mb4
    FIELDS TERMINATED BY '\\t' ESCAPED BY '\\\\' LINES TERMINATED BY '\\n' (${fields.join(', ')})${set}`;
}

function wrapped(sql: string, wrap: CellWrap): string {
  if (wrap === 'hex') return `UNHEX(${sql})`;
  return wrap === 'bits' ? `CAST(${sql} AS UNSIGNED)` : sql;
}

function* insertsOf(target: PutTarget, rows: readonly Row[]): Generator<string> {
  const { table, names } = target;
  const head = `INSERT INTO ${table} (${names.map(quoteIdentifier).join(', ')}) VALUES `;
  let tuples: string[] = [];
  let chars = 0;
  for (const row of rows) {
    const tuple = tupleOf(target, row);
    tuples.push(tuple);
    chars += tuple.length;
    if (chars < insertCharsMax) continue;
    yield head + tuples.join(', ');
    tuples = [];
    chars = 0;
  }
  if (tuples.length > 0) yield head + tuples.join(', ');
}

/** A field of a line is escaped as a text in quotes is, but for the quotes. */
function tupleOf({ names, cells }: PutTarget, row: Row): string {
  const values = names.map((name, i) => {
    const { text, exact, wrap } = cells[i] as Cell;
    const field = text(exact ? exact(row[name]) : row[name]);
    return field === NULL_TEXT ? 'NULL' : wrapped(`'${field.replaceAll("'", "\\'")}'`, wrap);
  });
  return `(${values.join(', ')})`;
}
