import { join } from 'node:path';
import type { Batch } from '../../drivers/driver.ts';
import { SQL_LIMITS } from '../../drivers/duckdb/sql-limits.ts';
import type { EngineFile } from '../../drivers/engine-file.ts';
import type { SqlInput, SqlStep } from '../../language/task/steps/sql/sql-step.ts';
import type { BatchQueue } from '../pipeline/batch-queue.ts';
import type { Flow, Stage } from '../pipeline/flow.ts';
import { handOn } from '../pipeline/hand-on.ts';
import { logStarted, tellProgress } from '../report/step-report.ts';
import { type RunState, runScope } from '../run-state.ts';
import type { FileTable } from '../sql/file-table.ts';
import { sqlFault } from '../sql/sql-fault.ts';
import { runInEngine, type SqlInstanceOptions } from '../sql/sql-instance.ts';
import { SqlSession } from '../sql/sql-session.ts';

/** Puts the rows of its inputs into tables, and when they have ended, hands on what the query makes of them. */
export async function runSql(stage: Stage<SqlStep>, flow: Flow): Promise<void> {
  const { step, state, tables } = stage;
  const { run, signal } = flow;
  logStarted(run, state);
  const session = await openSession(step, run, flow.scope);
  await runInEngine(session, signal, step.id, async () => {
    const feeds = step.inputs.map((input) => ({ input, queue: tables.get(input.name) as BatchQueue }));
    await fillTables(stage, flow, session, feeds);
    await handOn(stage, flow, session.run());
  });
}

/** A session for the query of a step, with its parameters. */
async function openSession(step: SqlStep, run: RunState, scope: Flow['scope']): Promise<SqlSession> {
  const params: Record<string, unknown> = {};
  for (const [name, template] of Object.entries(step.params))
    params[name] = paramOf(await template.render(scope));
  try {
    return await SqlSession.open({
      query: step.query,
      tables: step.inputs.map(({ name }) => name),
      params,
      ...engineOptions(run, step.id),
    });
  } catch (error) {
    throw sqlFault(error, step.id);
  }
}

/** What the engine of a step may use. */
export function engineOptions(run: RunState, stepId: string): SqlInstanceOptions {
  const { spillFolder = null, connectContext, sqlLimits } = run.context;
  const limits = sqlLimits ?? { ...SQL_LIMITS, ...connectContext.sql };
  const folder =
    spillFolder === null ? null : join(spillFolder, `${run.place.replaceAll('/', '-')}${stepId}`);
  return { stepId, limits, spillFolder: folder };
}

/** Whole numbers are integers of SQL; a list or a map is given as its JSON. */
function paramOf(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
}

/** The same over rows that are there already, for a preview. */
export async function* queryRows(
  step: SqlStep,
  run: RunState,
  tables: readonly { readonly input: SqlInput; readonly batches: readonly Batch[] }[],
): AsyncGenerator<Batch, void, undefined> {
  const { signal } = run;
  const session = await openSession(step, run, runScope(run));
  const interrupt = () => session.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    await session.lock();
    for (const { input, batches } of tables) {
      const table = session.createTable(input);
      for (const batch of batches) await table.append(batch);
      await table.finish();
    }
    signal.throwIfAborted();
    yield* session.run();
  } catch (error) {
    throw signal.aborted ? signal.reason : sqlFault(error, step.id);
  } finally {
    signal.removeEventListener('abort', interrupt);
    session.close();
  }
}

interface Feed {
  readonly input: SqlInput;
  readonly queue: BatchQueue;
}

/** All inputs come at once, so that steps which feed several of them never wait for each other. */
async function fillTables(
  stage: Stage<SqlStep>,
  flow: Flow,
  session: SqlSession,
  feeds: readonly Feed[],
): Promise<void> {
  const offered = await Promise.all(feeds.map((feed) => offerOf(feed, session)));
  const files = feeds.flatMap((feed, at) => {
    const file = offered[at] ?? null;
    return file === null ? [] : [{ feed, table: session.createFileTable(feed.input, file) }];
  });
  await session.lock();
  const direct = new Map<Feed, FileTable>();
  for (const { feed, table } of files) {
    if (await table.expect()) {
      direct.set(feed, table);
      continue;
    }
    feed.queue.answer(null);
    tellWay(flow, stage.step.id, feed.input, table.file.name, null);
  }
  await Promise.all(
    feeds.map((feed) => (direct.has(feed) ? undefined : fillTable(stage, flow, session, feed))),
  );
  if (direct.size === 0) return;
  const plan = await session.planOver([...direct.values()]);
  for (const [feed, table] of direct) {
    flow.signal.throwIfAborted();
    const rows = plan === null ? null : await table.fill(plan);
    feed.queue.answer(rows);
    tellWay(flow, stage.step.id, feed.input, table.file.name, rows);
    if (rows === null) await fillTable(stage, flow, session, feed);
    else stage.state.figures.rows_in += rows;
    tellProgress(flow.run, stage.state);
  }
}

function tellWay({ run }: Flow, stepId: string, { name }: SqlInput, file: string, rows: number | null): void {
  const message =
    rows === null
      ? `The table "${name}" is read row by row: "${file}" has values in another format than their column, or the file has changed`
      : `The engine read the table "${name}" directly from the file "${file}"`;
  run.ports.log('info', stepId, message, { table: name, file, ...(rows !== null && { rows }) });
}

/** The file that comes in place of rows, where there is one and the engine reads it as its connector would. */
async function offerOf({ input, queue }: Feed, session: SqlSession): Promise<EngineFile | null> {
  const file = queue.takes === 'file' ? await queue.offeredFile : null;
  if (file === null || (session.mayRead(file) && Object.keys(input.columns).length === 0)) return file;
  queue.answer(null);
  return null;
}

async function fillTable(
  { state }: Stage<SqlStep>,
  { run, signal }: Flow,
  session: SqlSession,
  { input, queue }: Feed,
): Promise<void> {
  const table = session.createTable(input);
  for (let batch = await queue.next(); batch !== null; batch = await queue.next()) {
    signal.throwIfAborted();
    await table.append(batch);
    state.figures.rows_in += batch.rows.length;
    tellProgress(run, state);
  }
  await table.finish();
}
