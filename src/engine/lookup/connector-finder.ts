import { isRecord } from '../../base/json.ts';
import {
  AbsentResourceError,
  type Batch,
  type Column,
  type Connection,
  ConnectorError,
  type Row,
} from '../../drivers/driver.ts';
import { mergeConditions } from '../../drivers/scope/conditions.ts';
import { ExpressionError, type Scope } from '../../language/expression/expression.ts';
import { askingOf } from '../../language/task/steps/ops/lookup-op.ts';
import type { LookupOp } from '../../language/task/steps/ops/transform-ops.ts';
import { linkedController } from '../linked-controller.ts';
import { closeConnection, openConnection, releaseConnection } from '../open-connection.ts';
import { fieldReader } from '../ops/field-mapping.ts';
import { RowError } from '../ops/row-error.ts';
import { RunFault, toRunFault } from '../run-fault.ts';
import { type RunState, stateOf } from '../run-state.ts';
import { untilAborted } from '../until-aborted.ts';
import { waitToRetry } from '../wait-to-retry.ts';
import { CallPace } from './call-pace.ts';
import type { Found, KeyFinder } from './key-finder.ts';
import { keyReader, type LookupKey } from './lookup-key.ts';

/** Rows that one call may give: more are a condition that is missing. */
export const CALL_ROWS_MAX = 100_000;
/** Arguments that name what is read; where the key is in one of them, what is not there is no match. */
const NAMING_ARGS = ['path', 'table', 'collection', 'resource', 'file'];

export interface ConnectorFinderOptions {
  readonly op: LookupOp;
  readonly run: RunState;
  readonly stepId: string;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  /** Keys that cannot be asked for fail their rows, and not the step. */
  readonly rowsMayFail: boolean;
  /** Calls are tried again, by the operation's own policy. */
  readonly mayRetry: boolean;
}

/** Asks a connector, by a method that only reads. Connections wait for the next batch until `close`. */
export class ConnectorFinder implements KeyFinder {
  columns: readonly Column[] = [];
  readonly #options: ConnectorFinderOptions;
  readonly #asking: ReturnType<typeof askingOf>;
  readonly #pace: CallPace;
  readonly #idle: Connection[] = [];
  #told = { calls: 0, keys: 0, found: 0 };

  constructor(options: ConnectorFinderOptions) {
    this.#options = options;
    this.#asking = askingOf(options.op.args);
    this.#pace = new CallPace(options.op.everyMs);
  }

  async find(keys: readonly LookupKey[]): Promise<ReadonlyMap<string, Found>> {
    const { op, stepId } = this.#options;
    const size = this.#asking === 'one' ? 1 : op.keysPerCall;
    const groups = Array.from({ length: Math.ceil(keys.length / size) }, (_, at) =>
      keys.slice(at * size, (at + 1) * size),
    ).values();
    const found = new Map<string, Found>();
    const control = linkedController(this.#options.signal);
    const work = async () => {
      try {
        for (const group of groups) await this.#ask(group, found, control.signal);
      } catch (error) {
        control.abort(control.signal.aborted ? control.signal.reason : toRunFault(error, stepId));
      }
    };
    try {
      await Promise.all(Array.from({ length: op.concurrency }, work));
      control.signal.throwIfAborted();
    } finally {
      control.unlink();
    }
    this.#told.keys += keys.length;
    for (const one of found.values()) if ('rows' in one && one.rows.length > 0) this.#told.found++;
    return found;
  }

  /** Never rejects. `isWhole`: all rows have come, and the log tells what was found. */
  async close(isWhole: boolean): Promise<void> {
    const { op, run, stepId } = this.#options;
    for (const connection of this.#idle.splice(0))
      await (isWhole ? releaseConnection(run, op.connector, connection) : closeConnection(connection));
    const { calls, keys, found } = this.#told;
    if (!isWhole || keys === 0) return;
    const message = `Looked up ${keys} keys in "${op.connector}" with ${calls} calls: ${found === 0 ? 'none has' : `${found} have`} a match`;
    run.ports.log(found === 0 ? 'warn' : 'info', stepId, message, { ...this.#told });
  }

  /** Keys that fail together are asked for apart, until those at fault are alone. */
  async #ask(group: readonly LookupKey[], found: Map<string, Found>, signal: AbortSignal): Promise<void> {
    try {
      const rows = await this.#tried(group, signal);
      for (const { id } of group) found.set(id, { rows: rows.get(id) ?? [] });
    } catch (error) {
      signal.throwIfAborted();
      const isData =
        error instanceof ExpressionError || (error instanceof ConnectorError && error.fault === 'DATA');
      if (isData && group.length > 1) {
        const half = Math.ceil(group.length / 2);
        await this.#ask(group.slice(0, half), found, signal);
        await this.#ask(group.slice(half), found, signal);
        return;
      }
      const failed = { error: this.#rowFault(error) };
      for (const { id } of group) found.set(id, failed);
    }
  }

  /** What ends the step whatever its rows are is thrown. */
  #rowFault(error: unknown): unknown {
    const { op, rowsMayFail } = this.#options;
    if (error instanceof ExpressionError) return error;
    if (!(error instanceof ConnectorError) || error.fault === 'CONFIG' || error.fault === 'AUTH') throw error;
    if (error.fault === 'DATA' || !rowsMayFail) return error;
    return new RowError(
      'LOOKUP_ERROR',
      `lookup in "${op.connector}": ${error.message}`,
      op.on[0]?.left ?? null,
    );
  }

  async #tried(group: readonly LookupKey[], signal: AbortSignal): Promise<Map<string, Row[]>> {
    const { op, run, stepId, mayRetry } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#call(group, signal);
      } catch (error) {
        signal.throwIfAborted();
        const fault = toRunFault(error, stepId);
        if (!mayRetry || !fault.stepRetry || attempt >= op.retry.maxAttempts) throw error;
        await untilAborted(waitToRetry(run, op.retry, fault, attempt), signal);
        signal.throwIfAborted();
      }
    }
  }

  async #call(group: readonly LookupKey[], signal: AbortSignal): Promise<Map<string, Row[]>> {
    const { op, run, stepId } = this.#options;
    await this.#pace.next(signal);
    const args = await this.#argsFor(group);
    const connection =
      this.#idle.pop() ?? (await openConnection(run, { id: stepId, connector: op.connector }, signal));
    const rows = new Map<string, Row[]>(group.map(({ id }) => [id, []]));
    this.#told.calls++;
    try {
      let count = 0;
      for await (const batch of this.#answer(connection, args, signal)) {
        count += batch.rows.length;
        if (count > CALL_ROWS_MAX) throw tooMany(op, group.length, stepId);
        if (this.#gather(batch, group, rows)) break;
      }
    } catch (error) {
      await closeConnection(connection);
      if (error instanceof AbsentResourceError && this.#namesByKey()) return new Map();
      throw error;
    }
    this.#idle.push(connection);
    return rows;
  }

  async *#answer(
    connection: Connection,
    args: unknown,
    signal: AbortSignal,
  ): AsyncGenerator<Batch, void, undefined> {
    const { op, run, stepId } = this.#options;
    const { meter } = stateOf(run, stepId);
    const method = run.plan.connectors
      .get(op.connector)
      ?.driver.methods.find(({ name }) => name === op.method);
    if (method?.kind === 'value') {
      const value = await untilAborted(
        run.tally.time(op.connector, meter, () => connection.call(op.method, args, signal)),
        signal,
      );
      yield answered(op, value ?? null);
      return;
    }
    const rows = connection.read({ method: op.method, args, signal, readOnly: true })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await untilAborted<IteratorResult<Batch>>(
          run.tally.time(op.connector, meter, () => rows.next()),
          signal,
        );
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await untilAborted(Promise.resolve(rows.return?.()), signal);
    }
  }

  /** Keeps what is needed of the rows, by their keys; true where no more are needed. */
  #gather({ columns, rows }: Batch, group: readonly LookupKey[], found: Map<string, Row[]>): boolean {
    const { op } = this.#options;
    const most = op.onSeveral === 'first' ? 1 : op.onSeveral === 'fail' ? 2 : Infinity;
    if (columns.length > 0) this.columns = columns;
    const readKey = keyReader(
      op.on.map(({ right }) => right),
      columns,
      group[0]?.types,
    );
    const names = new Set(columns.map(({ name }) => name));
    const readers = op.fields.map(({ left, right }) => ({ left, read: fieldReader(right, names) }));
    const own = this.#asking === 'one' ? (group[0]?.id ?? null) : null;
    for (const row of rows) {
      const into = found.get(own ?? readKey(row)?.id ?? '');
      if (into === undefined || into.length >= most) continue;
      into.push(Object.fromEntries(readers.map(({ left, read }) => [left, read(row) ?? null])));
    }
    return own !== null && (found.get(own)?.length ?? 0) >= most;
  }

  async #argsFor(group: readonly LookupKey[]): Promise<unknown> {
    const { op, run, scope } = this.#options;
    const lefts = op.on.map(({ left }) => left);
    const shown = group.map(({ values }) =>
      lefts.length === 1 ? values[0] : Object.fromEntries(lefts.map((left, at) => [left, values[at]])),
    );
    if (this.#asking === 'one') return op.args.render({ ...scope, key: shown[0] });
    const args = (await op.args.render({ ...scope, keys: shown })) ?? {};
    if (this.#asking === 'many' || !isRecord(args)) return args;
    const method = run.plan.connectors
      .get(op.connector)
      ?.driver.methods.find(({ name }) => name === op.method);
    // The plan was not made where the method takes no conditions.
    if (method?.cursor?.kind !== 'conditions') return args;
    const conditions = op.on.map(({ right }, at): [string, unknown] => [
      right,
      { in: [...new Set(group.map(({ values }) => values[at]))] },
    ]);
    // What is no map of conditions the driver refuses in its own words.
    const merged = mergeConditions(args[method.cursor.arg], Object.fromEntries(conditions));
    return merged === null ? args : { ...args, [method.cursor.arg]: merged };
  }

  #namesByKey(): boolean {
    const { source } = this.#options.op.args;
    if (this.#asking !== 'one' || !isRecord(source)) return false;
    return NAMING_ARGS.some((name) => /\{\{[\s\S]*\bkey\b[\s\S]*\}\}/.test(String(source[name] ?? '')));
  }
}

function answered({ connector, method }: LookupOp, value: unknown): Batch {
  const rows = value === null ? [] : Array.isArray(value) ? value : [value];
  if (!rows.every(isRecord))
    throw new ConnectorError('DATA', `lookup: "${method}" of "${connector}" gave what is no row`);
  return { columns: [], rows };
}

function tooMany({ connector }: LookupOp, keys: number, stepId: string): RunFault {
  const most = CALL_ROWS_MAX.toLocaleString('en-US');
  const message = `lookup in "${connector}": a call for ${keys} keys gave more than ${most} rows; is a condition missing? Otherwise lower "keys_per_call"`;
  return new RunFault('LOOKUP_LIMIT', message, { reason: 'task_error', stepId });
}
