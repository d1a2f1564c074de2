/**
 * The process of one query over files: the engine runs in it and in nothing else, so that it can be killed at any time. It takes a
 * `QueryTask` over its channel, asks for the rows of tables that the engine does not read by itself, answers with batches, one for each
 * time it is asked, and ends with its parent.
 */
import { textFile } from '../src/drivers/csv/plain-file.ts';
import type { Batch } from '../src/drivers/driver.ts';
import type { DirectFile, FromQuery, QueryTask, ToQuery } from '../src/drivers/duckdb/query-messages.ts';
import { saidByEngine } from '../src/drivers/duckdb/said-by-engine.ts';
import type { EngineFile } from '../src/drivers/engine-file.ts';
import { versionAt } from '../src/drivers/files/local/file-version.ts';
import { RunFault } from '../src/engine/run-fault.ts';
import type { FileTable } from '../src/engine/sql/file-table.ts';
import { SqlSession } from '../src/engine/sql/sql-session.ts';

const waiting: ToQuery[] = [];
let wake: () => void = () => undefined;

async function next(): Promise<ToQuery> {
  for (;;) {
    const message = waiting.shift();
    if (message !== undefined) return message;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

function send(message: FromQuery): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

function engineFileOf(file: DirectFile): EngineFile {
  if (file.format === 'csv') return textFile(file);
  return { ...file, isUnchanged: async () => (await versionAt(file.path)) === file.version };
}

/** Makes a table of the rows that the parent sends. */
async function takeRows(session: SqlSession, name: string): Promise<void> {
  const table = session.createTable({ name, columns: {} });
  await send({ kind: 'wants', table: name });
  for (let message = await next(); message.kind === 'rows'; message = await next()) {
    await table.append(message);
    await send({ kind: 'taken' });
  }
  await table.finish();
}

/** Tables that the engine fills from files by itself where it can, and the others from rows. */
async function fillTables(session: SqlSession, { tables }: QueryTask): Promise<void> {
  const direct = new Map<string, FileTable>();
  for (const { name, file } of tables) {
    const found = file === null ? null : engineFileOf(file);
    if (found !== null && session.mayRead(found)) direct.set(name, session.createFileTable({ name }, found));
  }
  await session.lock();
  for (const [name, table] of direct) if (!(await table.expect())) direct.delete(name);
  for (const { name } of tables) if (!direct.has(name)) await takeRows(session, name);
  if (direct.size === 0) return;
  const plan = await session.planOver([...direct.values()]);
  for (const [name, table] of direct)
    if (plan === null || (await table.fill(plan)) === null) await takeRows(session, name);
}

async function* rowsOf(task: QueryTask): AsyncGenerator<Batch, void, undefined> {
  const { sql: query, params, limits, spillFolder } = task;
  const tables = task.tables.map(({ name }) => name);
  const session = await SqlSession.open({ stepId: 'query', query, tables, params, limits, spillFolder });
  await fillTables(session, task);
  yield* session.run();
}

async function run(task: QueryTask): Promise<FromQuery> {
  try {
    for await (const { columns, rows } of rowsOf(task)) {
      await send({ kind: 'batch', columns, rows });
      await next();
    }
    return { kind: 'end' };
  } catch (error) {
    if (error instanceof RunFault)
      return {
        kind: 'failed',
        why: error.code === 'SQL_ENGINE_MISSING' ? 'missing' : 'error',
        text: error.message,
      };
    const { text, isLimit } = saidByEngine(error);
    return { kind: 'failed', why: isLimit ? 'limit' : 'error', text };
  }
}

process.on('disconnect', () => process.exit());
process.on('message', (message: ToQuery) => {
  if (message.kind === 'task')
    void run(message.task)
      .then(send)
      .then(() => process.disconnect());
  else {
    waiting.push(message);
    wake();
  }
});
