import type { Batch, OriginOf, Row } from '../../drivers/driver.ts';
import { isSetOp, type Op, type SetOp } from '../../language/task/steps/ops/transform-ops.ts';
import type { OpPart } from '../ops/op-part.ts';
import type { SqlInstance } from '../sql/sql-instance.ts';
import { aggregateRows } from './aggregate-rows.ts';
import { dedupeRows } from './dedupe-rows.ts';
import { fillRight, joinRows } from './join-rows.ts';
import type { SetTable } from './set-table.ts';

export interface OpRowsOptions {
  readonly stepId: string;
  readonly ops: readonly Op[];
  readonly engine: SqlInstance;
  /** Rows that a join may always make. */
  readonly joinRowsMax: number;
  /** The operations on single rows; `isFirst` for those that see the rows as they came. */
  readonly partOf: (ops: readonly Exclude<Op, SetOp>[], isFirst: boolean) => OpPart;
  /** The rows of the step that the join at this place of `ops` names. */
  readonly joined: (index: number) => AsyncIterable<Batch>;
  readonly onError: (row: Row, error: unknown, index: number, originOf: OriginOf | undefined) => void;
  /** After each batch that operations on single rows have seen. */
  readonly afterBatch: () => Promise<void> | undefined;
}

export interface OpRows {
  readonly rows: AsyncIterable<Batch>;
  /** So far. */
  readonly skipped: number;
  readonly filtered: number;
  /** Resolves when nothing of it uses the engine any more, once `rows` has ended and its inputs have. */
  settled(): Promise<unknown>;
}

/** The operations of a step of which some need all rows at once, one after another. */
export function createOpRows(options: OpRowsOptions, input: AsyncIterable<Batch>): OpRows {
  const { ops, partOf } = options;
  // Steps that feed several of them wait for each other unless all fill at once.
  const rights = new Map<number, Promise<SetTable>>();
  for (const [index, op] of ops.entries())
    if (op.op === 'join') rights.set(index, filledRight(options, op, index));
  const parts: OpPart[] = [];
  const dropped = { rows: 0 };
  let rows = input;
  let plain: Exclude<Op, SetOp>[] = [];
  const endPlain = () => {
    if (plain.length > 0 || parts.length === 0) {
      const part = partOf(plain, parts.length === 0);
      parts.push(part);
      rows = throughPart(options, part, rows);
    }
    plain = [];
  };
  for (const [index, op] of ops.entries()) {
    if (!isSetOp(op)) plain.push(op);
    else {
      endPlain();
      rows = throughSet(options, op, index, rows, rights, dropped);
    }
  }
  if (plain.length > 0) endPlain();
  return {
    rows,
    settled: () => Promise.allSettled(rights.values()),
    get skipped() {
      return parts.reduce((sum, part) => sum + part.skipped, 0);
    },
    get filtered() {
      return parts.reduce((sum, part) => sum + part.filtered, dropped.rows);
    },
  };
}

function filledRight(
  { engine, stepId, joined }: OpRowsOptions,
  op: Extract<SetOp, { op: 'join' }>,
  index: number,
): Promise<SetTable> {
  const filling = fillRight(op, index, joined(index), engine, stepId);
  // Heard when the join awaits it.
  filling.catch(() => undefined);
  return filling;
}

async function* throughPart(
  { onError, afterBatch }: OpRowsOptions,
  part: OpPart,
  rows: AsyncIterable<Batch>,
): AsyncGenerator<Batch, void, undefined> {
  for await (const batch of rows) {
    yield await part.apply(batch, (row, error, index) => onError(row, error, index, batch.originOf));
    const flushed = afterBatch();
    if (flushed !== undefined) await flushed;
  }
}

function throughSet(
  { engine, stepId, joinRowsMax: rowsMax }: OpRowsOptions,
  op: SetOp,
  index: number,
  rows: AsyncIterable<Batch>,
  rights: ReadonlyMap<number, Promise<SetTable>>,
  dropped: { rows: number },
): AsyncIterable<Batch> {
  switch (op.op) {
    case 'aggregate':
      return aggregateRows(op, rows, engine, { stepId, name: `groups_${index}` });
    case 'dedupe':
      return dedupeRows(op, rows, engine, { stepId, name: `rows_${index}` }, (count) => {
        dropped.rows += count;
      });
    case 'join':
      return joinRows(op, rows, rights.get(index) as Promise<SetTable>, engine, {
        stepId,
        name: `left_rows_${index}`,
        rowsMax,
      });
    default:
      return op satisfies never;
  }
}
