import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Batch,
  type Column,
  type ColumnType,
  ConnectorError,
  type ReadRequest,
  type Row,
} from '../driver.ts';
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
  return columnsOf(config.rows ?? []);
}

/** The fields of documents, in the order in which they first appear, with the types of their values. */
export function columnsOf(documents: readonly Row[]): Column[] {
  const names = [...new Set(documents.flatMap((document) => Object.keys(document)))];
  return names.map((name) => {
    const values = documents.map((document) =>
      Object.hasOwn(document, name) ? (document[name] ?? null) : null,
    );
    const types = new Set(values.filter((value) => value !== null).map(typeOf));
    if (types.has('number')) types.delete('integer');
    const [only = 'unknown'] = types;
    return { name, type: types.size > 1 ? 'json' : only, nullable: values.includes(null) };
  });
}

/** The document at `index`, from 0, as the script has it: a given row may lack fields of the others. */
function scriptedDocument(config: DummyConfig, index: number): Row {
  if (config.generate === undefined) return config.rows?.[index] ?? {};
  return Object.fromEntries(
    config.generate.columns.map((name) => [name, name === 'id' ? index + 1 : `${name} ${index + 1}`]),
  );
}

/** A document as a row: with all columns, null where it has no such field. */
export function asRow(document: Row, columns: readonly Column[]): Row {
  return Object.fromEntries(
    columns.map(({ name }) => [name, Object.hasOwn(document, name) ? (document[name] ?? null) : null]),
  );
}

export interface ScriptedRead {
  readonly config: DummyConfig;
  /** Selects documents; null for all. */
  readonly matches: ((document: Row) => boolean) | null;
  readonly limit: number;
  readonly batchRows: number;
  readonly skip: number;
  readonly signal: AbortSignal;
  readonly onMalformed?: ReadRequest['onMalformed'];
}

function isMalformed({ malformed_rows: malformed }: DummyConfig, document: Row): boolean {
  return malformed?.values.includes((document[malformed.field] ?? null) as string | null) === true;
}

function tellMalformed(document: Row, index: number, { onMalformed }: ScriptedRead): void {
  const error = new ConnectorError('DATA', `The scripted row ${index + 1} is malformed`);
  if (onMalformed === undefined) throw error;
  onMalformed({ raw: JSON.stringify(document), error, origin: { record: index + 1 } });
}

/** The scripted documents in batches. With `fail_after` the documents before the fault are given first. */
export async function* scriptedDocuments(read: ScriptedRead): AsyncGenerator<Row[], void, undefined> {
  const { config, matches, limit, batchRows, skip, signal } = read;
  const failsAt = config.fault === undefined ? Number.POSITIVE_INFINITY : (config.fail_after ?? 0);
  const count = Math.min(scriptedCount(config), failsAt);
  let given = 0;
  let malformed = 0;
  let documents: Row[] = [];
  await obeyScript(config, 0, signal);
  for (let index = skip; index < count && given < limit; index++) {
    const document = scriptedDocument(config, index);
    if (isMalformed(config, document)) {
      tellMalformed(document, index, read);
      malformed++;
    } else if (matches !== null && !matches(document)) continue;
    else {
      documents.push(document);
      given++;
    }
    if (documents.length + malformed < batchRows && given < limit) continue;
    yield documents;
    documents = [];
    malformed = 0;
    if (given < limit) await obeyScript({ ...config, fault: undefined }, given, signal);
  }
  if (documents.length > 0) yield documents;
  if (given < limit && failsAt <= scriptedCount(config)) await obeyScript(config, failsAt, signal);
}

/** The same as rows, all of one shape. */
export async function* scriptedBatches(read: ScriptedRead): AsyncGenerator<Batch, void, undefined> {
  const { config } = read;
  const columns = scriptedColumns(config);
  for await (const documents of scriptedDocuments(read)) {
    const isShaped = config.generate !== undefined;
    yield { columns, rows: isShaped ? documents : documents.map((document) => asRow(document, columns)) };
  }
}
