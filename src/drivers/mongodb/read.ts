import type { AbstractCursor, Db, Document } from 'mongodb';
import type { z } from 'zod';
import { BATCH_ROWS_DEFAULT, type Batch, ConnectorError, type ReadRequest, type Row } from '../driver.ts';
import { noMethod } from '../files/open-file.ts';
import { parseInput } from '../files/parse-input.ts';
import type { ValueGroup } from '../json/json-records.ts';
import { recordBatches } from '../json/record-batches.ts';
import { RowShape } from '../json/row-shape.ts';
import { charsOf, ROW_LIMITS } from '../row-limits.ts';
import { parseSort, type SortTerm } from '../sql/select.ts';
import { aggregateArgs, findArgs, type findOneArgs, sortTexts } from './method-args.ts';
import { allOf, conditionFilter } from './query/conditions.ts';
import { readFilter, readPipeline, requireCollection } from './query/guard.ts';
import { DocumentShape, flattened } from './values/document-shape.ts';
import { toExtended } from './values/extended-json.ts';

/** What of a call bounds the work of the database. */
export interface Bounds {
  readonly signal: AbortSignal;
  /** Of all that the database does for the call; for as long as it takes where it is absent. */
  readonly maxTimeMS?: number;
}

type Values = z.output<typeof findArgs>['values'];

/** Types as the database has them, which promotion to numbers would lose. */
const UNPROMOTED = { promoteValues: false, promoteLongs: false } as const;

/** The documents of a method that gives rows, as batches of one shape each. */
export async function* readDocuments(
  db: Db,
  request: ReadRequest,
  maxTimeMS: number | null,
): AsyncGenerator<Batch> {
  const { signal, limit, batchRows = BATCH_ROWS_DEFAULT, batchBytes } = request;
  const bounds = { signal, ...(maxTimeMS === null ? {} : { maxTimeMS }) };
  const { cursor, collection, columns, values, atMost } = opened(db, request, bounds);
  try {
    const wanted = values === 'plain' ? columns : null;
    yield* recordBatches(groupsOf(cursor, { batchRows, batchBytes, wanted, values }), {
      name: collection,
      columns,
      signal,
      limit: Math.min(limit ?? Number.POSITIVE_INFINITY, atMost),
      batchRows,
      batchBytes,
      shape: values === 'extended' ? new RowShape(collection, columns) : new DocumentShape(columns),
    });
  } finally {
    await cursor.close().catch(() => undefined);
  }
}

interface OpenedRead {
  readonly cursor: AbstractCursor<Document>;
  readonly collection: string;
  readonly columns: readonly string[] | null;
  readonly values: Values;
  readonly atMost: number;
}

function opened(db: Db, { method, args, limit, batchRows }: ReadRequest, bounds: Bounds): OpenedRead {
  const batchSize = Math.min(batchRows ?? BATCH_ROWS_DEFAULT, limit ?? Number.POSITIVE_INFINITY);
  switch (method) {
    case 'find': {
      const given = parseInput(findArgs, args, 'the arguments of "find"');
      const atMost = Math.min(given.limit ?? Number.POSITIVE_INFINITY, limit ?? Number.POSITIVE_INFINITY);
      const { collection, columns = null, values } = given;
      const cursor = findCursor(db, given, bounds, { batchSize, limit: atMost });
      return { cursor, collection, columns: emptyAsNull(columns), values, atMost };
    }
    case 'aggregate': {
      const { collection, pipeline, values } = parseInput(
        aggregateArgs,
        args,
        'the arguments of "aggregate"',
      );
      const name = requireCollection(collection, 'collection');
      const options = { ...bounds, batchSize, ...(values === 'extended' ? UNPROMOTED : {}) };
      const cursor = db.collection(name).aggregate(readPipeline(pipeline), options);
      return { cursor, collection, columns: null, values, atMost: Number.POSITIVE_INFINITY };
    }
    default:
      throw noMethod('mongodb', method);
  }
}

function emptyAsNull(columns: readonly string[] | null): readonly string[] | null {
  return columns === null || columns.length === 0 ? null : columns;
}

function findCursor(
  db: Db,
  args: Omit<z.output<typeof findArgs>, 'limit'>,
  bounds: Bounds,
  { batchSize, limit }: { readonly batchSize: number; readonly limit: number },
) {
  const { collection, columns = [], sort, values } = args;
  const projection = projectionOf(columns);
  const order = parseSort(sortTexts(sort));
  return db.collection(requireCollection(collection, 'collection')).find(filterOf(args), {
    ...bounds,
    batchSize,
    ...(Number.isFinite(limit) ? { limit } : {}),
    ...(projection === null ? {} : { projection }),
    ...(order.length === 0 ? {} : { sort: orderOf(order) }),
    ...(values === 'extended' ? UNPROMOTED : {}),
  });
}

/** An order as the database takes it. */
export function orderOf(terms: readonly SortTerm[]): [string, 1 | -1][] {
  return terms.map(({ column, descending }) => [column, descending ? -1 : 1]);
}

/** The filter of MongoDB and the conditions of a call, together. */
export function filterOf({
  filter,
  where,
}: Pick<z.output<typeof findOneArgs>, 'filter' | 'where'>): Document {
  return allOf([conditionFilter(where), readFilter(filter)]);
}

/** Null for whole documents. A field within another one that is wanted, too, comes with it: together the server refuses them. */
export function projectionOf(columns: readonly string[]): Document | null {
  if (columns.length === 0) return null;
  const wanted = new Set(columns);
  for (const name of wanted) {
    if (name.startsWith('$') || name.includes('\0') || name.split('.').includes(''))
      throw new ConnectorError('CONFIG', `"${name.slice(0, 60)}" is not the name of a field`);
  }
  const outer = [...wanted].filter((name) => !prefixesOf(name).some((prefix) => wanted.has(prefix)));
  return { ...(wanted.has('_id') ? {} : { _id: 0 }), ...Object.fromEntries(outer.map((name) => [name, 1])) };
}

function prefixesOf(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}

interface Grouping extends Pick<ReadRequest, 'batchBytes'> {
  readonly batchRows: number;
  readonly wanted: readonly string[] | null;
  readonly values: Values;
}

/** What arrives with one answer of the server. One that has fewer documents than asked for was full, or is the last. */
async function* groupsOf(
  cursor: AbstractCursor<Document>,
  { batchRows, batchBytes, wanted, values }: Grouping,
): AsyncGenerator<ValueGroup, void, undefined> {
  const hasNested = wanted?.some((name) => name.includes('.')) === true;
  let first = 1;
  while (await cursor.hasNext()) {
    const documents: Row[] = cursor.readBufferedDocuments();
    const full = documents.length < batchRows ? ROW_LIMITS.rowCharsMax : 0;
    const chars = batchBytes === undefined ? full : charsOf(documents, batchBytes);
    const shown = values === 'extended' ? (documents.map(toExtended) as Row[]) : documents;
    yield { values: hasNested ? shown.map((one) => flattened(one, wanted ?? [])) : shown, chars, first };
    first += documents.length;
  }
}

/** One document as a row, or null. */
export async function findOne(
  db: Db,
  args: z.output<typeof findOneArgs>,
  bounds: Bounds,
): Promise<Row | null> {
  const columns = emptyAsNull(args.columns ?? null);
  const cursor = findCursor(db, args, bounds, { batchSize: 1, limit: 1 });
  for (const document of await cursor.toArray()) {
    if (args.values === 'extended') return toExtended(document) as Row;
    const shape = new DocumentShape(columns);
    const found = columns === null ? document : flattened(document, columns);
    shape.admit(found);
    return shape.row(found);
  }
  return null;
}
