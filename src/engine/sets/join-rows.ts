import type { DuckDBValue } from '@duckdb/node-api';
import type { Batch, Column, ColumnType, Row } from '../../drivers/driver.ts';
import type { SetOp } from '../../language/task/steps/ops/transform-ops.ts';
import { RunFault } from '../run-fault.ts';
import type { SqlInstance } from '../sql/sql-instance.ts';
import { type KeyPair, keyPair } from './join-keys.ts';
import { SetTable } from './set-table.ts';
import { wholeRows } from './whole-rows.ts';

type Join = Extract<SetOp, { op: 'join' }>;

/** Of rows that came, so many may a join make at most of each, where that is more than its limit. */
const ROWS_PER_ROW = 10;
const JOINS = {
  inner: 'JOIN',
  left: 'LEFT JOIN',
  full: 'FULL JOIN',
  semi: 'SEMI JOIN',
  anti: 'ANTI JOIN',
} as const;
const NUMBERS: ReadonlySet<ColumnType> = new Set(['integer', 'number', 'decimal']);

/** The table of the other step's rows, which must fill while all others do. */
export async function fillRight(
  op: Join,
  index: number,
  rows: AsyncIterable<Batch>,
  engine: SqlInstance,
  stepId: string,
): Promise<SetTable> {
  const columns = [...new Set(op.on.map(({ right }) => right))];
  const name = `right_rows_${index}`;
  const table = await SetTable.open(engine, {
    op: `join with "${op.with}"`,
    stepId,
    name,
    columns,
    keepsRows: true,
  });
  for await (const batch of rows) await table.add(batch);
  await table.finish();
  return table;
}

/** The rows with those of the other step, in their order, and in that of the others where several match. */
export async function* joinRows(
  op: Join,
  rows: AsyncIterable<Batch>,
  right: Promise<SetTable>,
  engine: SqlInstance,
  { stepId, name, rowsMax }: { readonly stepId: string; readonly name: string; readonly rowsMax: number },
): AsyncGenerator<Batch, void, undefined> {
  const columns = [...new Set(op.on.map((key) => key.left))];
  const left = await SetTable.open(engine, { op: 'join', stepId, name, columns, keepsRows: true });
  for await (const batch of rows) await left.add(batch);
  await left.finish();
  const other = await right;
  const made = joinedColumns(op, left, other, stepId);
  if (left.isBare || other.isBare) return yield* withNothing(op, left, other, made);
  checkTypes(op, left, other, stepId);
  await checkRows(op, left, other, { stepId, rowsMax });
  const on = pairsOf(op, left, other)
    .map((pair) => `${pair.left} = ${pair.right}`)
    .join(' AND ');
  const isPair = op.type !== 'semi' && op.type !== 'anti';
  const query = `SELECT l.s, l.row${isPair ? ', r.s, r.row' : ''} FROM ${left.name} l ${JOINS[op.type]} ${other.name} r ON ${on} ORDER BY l.n NULLS LAST${isPair ? ', r.n' : ''}`;
  const pairOf = ([ls = null, lrow = null, rs = null, rrow = null]: readonly DuckDBValue[]) =>
    made.rowOf(lrow === null ? null : left.rowOf(ls, lrow), rrow === null ? null : other.rowOf(rs, rrow));
  yield* wholeRows(left.connection, query, made.columns, pairOf);
}

function pairsOf({ on }: Join, left: SetTable, right: SetTable): readonly KeyPair[] {
  return on.map((key) => keyPair(left, key.left, right, key.right));
}

interface Joined {
  readonly columns: readonly Column[];
  rowOf(left: Row | null, right: Row | null): Row;
}

/** The columns of both, without the key of the other; a name that is taken gets the prefix. */
function joinedColumns(op: Join, left: SetTable, right: SetTable, stepId: string): Joined {
  if (op.type === 'semi' || op.type === 'anti') return { columns: left.columns, rowOf: (row) => row ?? {} };
  const keys = new Set(op.on.map((key) => key.right));
  const taken = new Set(left.columns.map(({ name }) => name));
  const added = right.columns
    .filter(({ name }) => !keys.has(name))
    .map((column) => {
      const name = taken.has(column.name) ? `${op.prefix ?? `${op.with}_`}${column.name}` : column.name;
      return { from: column.name, column: { ...column, name, key: false, nullable: true } };
    });
  const names = [...taken, ...added.map(({ column }) => column.name)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new RunFault(
      'VALIDATION_ERROR',
      `join with "${op.with}": two columns would be named "${twice}"; choose another "prefix"`,
      { reason: 'config_error', stepId },
    );
  const nothing = Object.fromEntries(left.columns.map(({ name }) => [name, null]));
  const keysOf = (other: Row | null): Row =>
    Object.fromEntries(op.on.map((key) => [key.left, other?.[key.right] ?? null]));
  return {
    columns: [...left.columns, ...added.map(({ column }) => column)],
    rowOf: (row, other) => {
      // Without a row of its own it has the key of the other.
      const out: Row = row ?? { ...nothing, ...keysOf(other) };
      for (const { from, column } of added) out[column.name] = other === null ? null : other[from];
      return out;
    },
  };
}

/** Where one side has no rows, and has not told any columns. */
async function* withNothing(op: Join, left: SetTable, right: SetTable, made: Joined): AsyncGenerator<Batch> {
  const keepsLeft = op.type === 'left' || op.type === 'full' || op.type === 'anti';
  const all = (table: SetTable) => `SELECT s, row FROM ${table.name} ORDER BY n`;
  if (!left.isBare && keepsLeft)
    yield* wholeRows(left.connection, all(left), made.columns, ([s = null, row = null]) =>
      made.rowOf(left.rowOf(s, row), null),
    );
  else if (!right.isBare && op.type === 'full') {
    const keys = op.on.map(({ left: name }): Column => ({ name, type: 'unknown', nullable: true }));
    yield* wholeRows(right.connection, all(right), [...keys, ...made.columns], ([s = null, row = null]) =>
      made.rowOf(null, right.rowOf(s, row)),
    );
  } else if (!left.isBare) yield { columns: made.columns, rows: [] };
}

/** 7 and "7" would never be equal, or be made so by a guess. */
function checkTypes(op: Join, left: SetTable, right: SetTable, stepId: string): void {
  for (const key of op.on) {
    const own = left.typeOf(key.left);
    const other = right.typeOf(key.right);
    if (own === other || own === 'unknown' || other === 'unknown') continue;
    if (NUMBERS.has(own) && NUMBERS.has(other)) continue;
    const message = `join with "${op.with}": "${key.left}" is ${own}, and "${key.right}" of "${op.with}" is ${other}; cast one of them`;
    throw new RunFault('VALIDATION_ERROR', message, { reason: 'config_error', stepId });
  }
}

/** A join that explodes is refused before it begins: it would fill the disk, or never end. */
async function checkRows(
  op: Join,
  left: SetTable,
  right: SetTable,
  { stepId, rowsMax }: { readonly stepId: string; readonly rowsMax: number },
): Promise<void> {
  const most = Math.max(rowsMax, ROWS_PER_ROW * (left.rows + right.rows));
  if (op.type === 'semi' || op.type === 'anti' || left.rows * right.rows <= most) return;
  const keys = pairsOf(op, left, right);
  const counted = (table: SetTable, alias: string, sides: readonly string[]) =>
    `(SELECT ${sides.map((side, at) => `${side} AS k${at}`).join(', ')}, count(*) AS c FROM ${table.name} ${alias} GROUP BY ALL)`;
  const on = keys.map((_, at) => `l.k${at} = r.k${at}`).join(' AND ');
  const shown = keys.map((_, at) => `coalesce(l.k${at}::VARCHAR, '')`).join(" || ', ' || ");
  const [own, other] = [
    counted(
      left,
      'l',
      keys.map((key) => key.left),
    ),
    counted(
      right,
      'r',
      keys.map((key) => key.right),
    ),
  ];
  const pairs = 'l.c::HUGEINT * r.c';
  const found = await left.connection.runAndReadAll(
    `SELECT coalesce(sum(${pairs}), 0)::DOUBLE, arg_max(${shown}, ${pairs}), arg_max(l.c, ${pairs})::DOUBLE, arg_max(r.c, ${pairs})::DOUBLE FROM ${own} l JOIN ${other} r ON ${on}`,
  );
  const [rows = 0, value = '', inLeft = 0, inRight = 0] = found.getRows()[0] ?? [];
  if (Number(rows) <= most) return;
  const message = `join with "${op.with}": it would make ${Number(rows)} rows of ${left.rows} and ${right.rows}, and may make ${most}: "${String(value).slice(0, 80)}" alone stands in ${Number(inLeft)} and in ${Number(inRight)} rows; join on more fields, or dedupe before`;
  throw new RunFault('SQL_LIMIT', message, { reason: 'task_error', stepId });
}
