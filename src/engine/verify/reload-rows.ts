import { digestRow } from '../../drivers/digest/row-digest.ts';
import type { Row } from '../../drivers/driver.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { RunFault } from '../run-fault.ts';
import type { RunState } from '../run-state.ts';
import { stateOf } from '../run-state.ts';
import { ABORT_GRACE_MS, COMMIT_GRACE_MS } from '../steps/load/load-grace.ts';
import { loadIdOf } from '../steps/load/load-id.ts';
import { untilAborted, withinGrace } from '../until-aborted.ts';
import { type ComparedColumns, sideColumns } from './compared-columns.ts';
import type { Comparison } from './comparison.ts';
import { KEYS_MAX } from './differences.ts';
import type { Reading } from './reading.ts';

/** Where rows are loaded again. */
interface Into {
  readonly connector: string;
  readonly object: string;
}

/** Reads the rows that differ or are missing once more and merges them into the target, in one load; returns how many they were. */
export async function reloadRows(
  stepId: string,
  { connector, object }: Into,
  run: RunState,
  signal: AbortSignal,
  source: Reading,
  { columns, keys }: Pick<Comparison, 'columns' | 'keys'>,
): Promise<number> {
  if (keys.size >= KEYS_MAX)
    throw new RunFault(
      'VERIFY_LIMIT',
      `At least ${KEYS_MAX.toLocaleString('en-US')} rows differ, more than "reload" loads again: run the load itself`,
      { reason: 'task_error', stepId },
    );
  const { meter } = stateOf(run, stepId);
  const connection = await openConnection(run, { id: stepId, connector }, signal);
  try {
    const opening = run.tally.time(connector, meter, () =>
      connection.openWriter({
        object,
        mode: 'merge',
        key: columns.key.map(({ target }) => target),
        loadId: `${loadIdOf(run, stepId)}/verify`,
        allowEmpty: false,
        log: (level, message) => run.ports.log(level, stepId, message),
        signal,
      }),
    );
    const writer = await untilAborted(opening, signal);
    let isCommitted = false;
    try {
      let rows = 0;
      for await (const batch of reloadedBatches(source, columns, keys)) {
        rows += batch.rows.length;
        await untilAborted(
          run.tally.time(connector, meter, () => writer.write(batch)),
          signal,
        );
      }
      signal.throwIfAborted();
      isCommitted = true;
      await untilAborted(writer.commit(), signal, COMMIT_GRACE_MS);
      run.ports.log('info', stepId, `Loaded ${rows} rows into "${object}" again`, { rows });
      return rows;
    } finally {
      if (!isCommitted) await withinGrace(() => writer.abort(), ABORT_GRACE_MS);
    }
  } finally {
    await closeConnection(connection);
  }
}

/** The compared columns of the rows, as the target names them. */
async function* reloadedBatches(
  source: Reading,
  { key, columns }: ComparedColumns,
  keys: ReadonlySet<string>,
) {
  const keyColumns = sideColumns(key, 'source');
  const names = new Map([...key, ...columns].map((column) => [column.source, column.target]));
  for await (const batch of source.batches()) {
    const wanted = batch.rows.filter((row) => keys.has(digestRow(row, keyColumns, []).keyHash));
    if (wanted.length === 0) continue;
    yield {
      columns: batch.columns.flatMap((column) => {
        const name = names.get(column.name);
        return name === undefined ? [] : [{ ...column, name }];
      }),
      rows: wanted.map((row) => {
        const renamed: Row = {};
        for (const [from, to] of names) if (row[from] !== undefined) renamed[to] = row[from];
        return renamed;
      }),
    };
  }
}
