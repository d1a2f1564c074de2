import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, type Column, type ColumnType, ConnectorError, type Row } from '../driver.ts';
import type { DummyConfig } from './config.ts';

function typeOf(value: unknown): ColumnType {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value as 'string' | 'boolean';
  return value === null || value === undefined ? 'unknown' : 'json';
}

/** Waits as scripted, then fails where the script says so. Ends at once when aborted. */
export async function obeyScript(config: DummyConfig, rowsSoFar: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (config.hang) {
    await new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
  if (config.delay_ms > 0) await sleep(config.delay_ms, undefined, { signal });
  if (config.fault !== undefined && rowsSoFar >= (config.fail_after ?? 0)) {
    throw new ConnectorError(config.fault, config.message);
  }
}

export function scriptedCount(config: DummyConfig): number {
  return config.generate?.count ?? config.rows?.length ?? 0;
}

export function scriptedColumns(config: DummyConfig): Column[] {
  if (config.generate !== undefined) {
    return config.generate.columns.map((name) => ({
      name,
      type: name === 'id' ? 'integer' : 'string',
      nullable: false,
      ...(name === 'id' ? { key: true } : {}),
    }));
  }
  const rows = config.rows ?? [];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => {
    const values = rows.map((row) => row[name] ?? null);
    const types = new Set(values.filter((value) => value !== null).map(typeOf));
    if (types.has('number')) types.delete('integer');
    const [only = 'unknown'] = types;
    return { name, type: types.size > 1 ? 'json' : only, nullable: values.includes(null) };
  });
}

/** The row at `index`, from 0; the same each time, with all columns. */
export function scriptedRow(config: DummyConfig, columns: readonly Column[], index: number): Row {
  const given = config.generate === undefined ? config.rows?.[index] : undefined;
  const cellOf = (name: string): unknown => {
    if (config.generate === undefined) return given?.[name] ?? null;
    return name === 'id' ? index + 1 : `${name} ${index + 1}`;
  };
  return Object.fromEntries(columns.map(({ name }) => [name, cellOf(name)]));
}

export interface ScriptedRead {
  readonly config: DummyConfig;
  readonly where: Readonly<Record<string, unknown>>;
  readonly limit: number;
  readonly batchRows: number;
  readonly skip: number;
  readonly signal: AbortSignal;
}

/** The scripted rows in batches. With `fail_after` the rows before the fault are given first. */
export async function* scriptedBatches(read: ScriptedRead): AsyncGenerator<Batch, void, undefined> {
  const { config, where, limit, batchRows, skip, signal } = read;
  const columns = scriptedColumns(config);
  const wanted = Object.entries(where);
  const failsAt = config.fault === undefined ? Number.POSITIVE_INFINITY : (config.fail_after ?? 0);
  const count = Math.min(scriptedCount(config), failsAt);
  let given = 0;
  let rows: Row[] = [];
  await obeyScript(config, 0, signal);
  for (let index = skip; index < count && given < limit; index++) {
    const row = scriptedRow(config, columns, index);
    if (!wanted.every(([name, value]) => row[name] === value)) continue;
    rows.push(row);
    given++;
    if (rows.length < batchRows && given < limit) continue;
    yield { columns, rows };
    rows = [];
    if (given < limit) await obeyScript({ ...config, fault: undefined }, given, signal);
  }
  if (rows.length > 0) yield { columns, rows };
  if (given < limit && failsAt <= scriptedCount(config)) await obeyScript(config, failsAt, signal);
}
