import type { Digest, DigestRequest } from '../../drivers/digest/digest.ts';
import type { Batch, Column, Conditions, Connection, Driver, Method } from '../../drivers/driver.ts';
import { mergeConditions } from '../../drivers/scope/conditions.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { RunFault } from '../run-fault.ts';
import { type RunState, stateOf } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';

/** Arguments by which methods name what they read. */
const NAMING_ARGS = ['table', 'collection', 'file', 'resource', 'path'];
/** Rows by which the columns of a method are known. */
const PEEKED_ROWS = 100;

/** One side of a comparison. Every wait ends when its signal aborts. */
export interface Reading {
  /** The type of the connector. */
  readonly type: string;
  /** For people. */
  readonly label: string;
  columns(): Promise<readonly Column[]>;
  /** All rows, as often as they are asked for. */
  batches(): AsyncIterable<Batch>;
  /** null where the rows are to be digested here. */
  digest(request: Omit<DigestRequest, 'resource' | 'filters' | 'signal'>): Promise<Digest | null>;
  close(): Promise<void>;
}

/** What a side reads: an object as a whole, or what a method gives. */
export interface ReadRows {
  readonly connector: string;
  readonly object: unknown;
  readonly method: string | null;
  readonly args: unknown;
}

interface Call {
  readonly method: Method;
  readonly args: unknown;
}

/** A side that a connector has. `conditions`: on its own columns, besides those of its arguments. */
export async function openReading(
  { connector, object: whole, method: name, args }: ReadRows,
  conditions: Conditions,
  stepId: string,
  run: RunState,
  signal: AbortSignal,
): Promise<Reading> {
  const driver = run.plan.connectors.get(connector)?.driver;
  if (driver === undefined) throw new Error(`The plan has no connector "${connector}"`);
  const found = whole === null ? calledMethod(driver, name ?? '', args) : wholeMethod(driver, whole);
  const shown = String(whole ?? name);
  if (found === null)
    throw configFault(stepId, `A ${driver.type} connector has no method that reads "${shown}"`);
  const call = filtered(found, conditions, driver, stepId);
  const connection = await openConnection(run, { id: stepId, connector }, signal);
  const { meter } = stateOf(run, stepId);
  const view = call.method.pageOf?.(call.args) ?? null;
  return {
    type: driver.type,
    label: `${connector}.${shown}`,
    columns: () => columnsOf(connection, driver, call, signal),
    batches: () => batchesOf(connection, call, signal),
    digest: async (request) => {
      if (view === null || connection.digest === undefined) return null;
      const { resource, filter = {} } = view;
      const asked = run.tally.time(connector, meter, async () =>
        connection.digest?.({ ...request, resource, filters: [filter], signal }),
      );
      return (await untilAborted(asked, signal)) ?? null;
    },
    close: () => closeConnection(connection),
  };
}

function calledMethod(driver: Driver, name: string, args: unknown): Call | null {
  const method = driver.methods.find((known) => known.name === name && known.kind === 'rows');
  return method === undefined ? null : { method, args };
}

/** The first method that takes the name of an object and nothing else. */
function wholeMethod(driver: Pick<Driver, 'methods'>, object: unknown): Call | null {
  if (typeof object !== 'string' || object === '') return null;
  for (const method of driver.methods.filter(({ kind }) => kind === 'rows')) {
    for (const arg of NAMING_ARGS) {
      const args = { [arg]: object };
      if (method.args.safeParse(args).success) return { method, args };
    }
  }
  return null;
}

/** The same call with conditions more. */
function filtered({ method, args }: Call, conditions: Conditions, driver: Driver, stepId: string): Call {
  if (Object.keys(conditions).length === 0) return { method, args };
  const own = method.cursor?.kind === 'conditions' ? method.cursor.arg : null;
  const merged = own === null ? null : mergeConditions((args as Record<string, unknown>)[own], conditions);
  if (own === null || merged === null)
    throw configFault(
      stepId,
      `"${method.name}" of a ${driver.type} connector takes no conditions: leave out "filter", and let "args" say which rows are read`,
    );
  return { method, args: { ...(args as object), [own]: merged } };
}

/** The columns of a resource, or of the first rows of a method. */
async function columnsOf(
  connection: Connection,
  driver: Driver,
  { method, args }: Call,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  const view = method.pageOf?.(args) ?? null;
  if (view !== null && view.resource !== '' && driver.capabilities.introspect) {
    const all = await untilAborted(connection.describe(view.resource, signal), signal);
    const wanted = view.columns ?? [];
    return wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name));
  }
  return columnsIn(batchesOf(connection, { method, args }, signal, PEEKED_ROWS));
}

/** The columns of all batches. */
export async function columnsIn(batches: AsyncIterable<Batch>): Promise<readonly Column[]> {
  const columns = new Map<string, Column>();
  for await (const batch of batches)
    for (const column of batch.columns) if (!columns.has(column.name)) columns.set(column.name, column);
  return [...columns.values()];
}

async function* batchesOf(
  connection: Connection,
  { method, args }: Call,
  signal: AbortSignal,
  limit?: number,
): AsyncGenerator<Batch, void, undefined> {
  const limited = limit === undefined ? {} : { limit };
  const rows = connection.read({ method: method.name, args, signal, readOnly: true, ...limited });
  const iterator = rows[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a source that hangs would hang here too, and closing the connection ends it.
    iterator.return?.().then(undefined, () => undefined);
  }
}

export function configFault(stepId: string, message: string): RunFault {
  return new RunFault('VALIDATION_ERROR', message, { reason: 'config_error', stepId });
}
