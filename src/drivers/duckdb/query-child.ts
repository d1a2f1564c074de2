/**
 * The process of one query over files: the engine runs in it and in nothing else, so that it can be killed at any time. It takes a
 * `QueryTask` over its channel, answers with batches, one for each time it is asked, and ends with its parent.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Batch } from '../driver.ts';
import { bindParams } from './bind-params.ts';
import { type DuckDb, lockEngine, openEngine } from './engine.ts';
import { quoteName } from './identifier.ts';
import { NO_SELECT, QueryRefused, requireOwnTables } from './own-tables.ts';
import type { FromQuery, QueryTask, ToQuery } from './query-messages.ts';
import { batchesOf } from './result-columns.ts';
import { saidByEngine } from './said-by-engine.ts';

let wake: () => void = () => undefined;

function send(message: FromQuery): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

async function loadEngine(): Promise<DuckDb | null> {
  try {
    return await import('@duckdb/node-api');
  } catch {
    return null;
  }
}

/** One SELECT, as the engine's own parser reads it. */
async function prepared(duckdb: DuckDb, connection: DuckDBConnection, { sql, params, tables }: QueryTask) {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new QueryRefused(NO_SELECT);
  await requireOwnTables(
    connection,
    sql,
    tables.map(({ name }) => name),
  );
  const statement = await connection.prepare(sql);
  if (statement.statementType !== duckdb.StatementType.SELECT) throw new QueryRefused(NO_SELECT);
  bindParams(statement, params);
  return statement;
}

async function* rowsOf(duckdb: DuckDb, task: QueryTask): AsyncGenerator<Batch, void, undefined> {
  const engine = await openEngine(duckdb, task.limits, task.spillFolder);
  const connection = await engine.connect();
  await lockEngine(connection, task.paths);
  for (const { name, source } of task.tables)
    await connection.run(`CREATE VIEW ${quoteName(name)} AS SELECT * FROM ${source}`);
  const statement = await prepared(duckdb, connection, task);
  yield* batchesOf(duckdb, await statement.stream());
}

async function run(task: QueryTask): Promise<FromQuery> {
  const duckdb = await loadEngine();
  if (duckdb === null) return { kind: 'failed', why: 'missing', text: '' };
  try {
    for await (const { columns, rows } of rowsOf(duckdb, task)) {
      const taken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await send({ kind: 'batch', columns, rows });
      await taken;
    }
    return { kind: 'end' };
  } catch (error) {
    if (error instanceof QueryRefused) return { kind: 'failed', why: 'error', text: error.message };
    const { text, isLimit } = saidByEngine(error);
    return { kind: 'failed', why: isLimit ? 'limit' : 'error', text };
  }
}

process.on('disconnect', () => process.exit());
process.on('message', (message: ToQuery) => {
  if (message.kind === 'more') wake();
  else
    void run(message.task)
      .then(send)
      .then(() => process.disconnect());
});
