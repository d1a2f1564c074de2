import { BSON, type Db, type Document } from 'mongodb';
import type { Column, Page, PageRequest } from '../driver.ts';
import { CursorError } from '../page/cursor-error.ts';
import { cursorText, queryOf, readCursor, requirePageLimit } from '../page/page-cursor.ts';
import { readSearch } from '../page/page-search.ts';
import { parseSort, type SortTerm } from '../sql/select.ts';
import { describeCollection } from './introspect.ts';
import { allOf, conditionFilter, escaped, spellings } from './query/conditions.ts';
import { orderOf, projectionOf } from './read.ts';
import { DocumentShape, flattened } from './values/document-shape.ts';
import { fromExtended } from './values/extended-json.ts';

/**
 * One page of a collection, in the order of the sort and then of `_id`. The cursor holds the values of the last document, so that a page
 * costs the same wherever it is, and documents that come or go move nothing. As the database orders: nothing comes before everything.
 */
export async function readCollectionPage(db: Db, request: PageRequest, maxTimeMS: number): Promise<Page> {
  const { limit, resource, signal } = request;
  requirePageLimit(request);
  const bounds = { signal, maxTimeMS };
  const described = await describeCollection(db, resource, bounds);
  const wanted = [...new Set(request.columns ?? [])];
  const known = [...described.top, ...described.nested];
  const given = parseSort(request.sort ?? []);
  const sort = given.some(({ column }) => column === '_id')
    ? given
    : [...given, { column: '_id', descending: false }];
  const after = decodeCursor(request, sort);
  const search = readSearch(request);
  const filter = allOf([
    conditionFilter(request.filter ?? {}),
    ...(request.where ?? []).map(conditionFilter),
    ...(search === null ? [] : [searchFilter(search)]),
    ...(after === null ? [] : [afterFilter(sort, after)]),
  ]);
  const projection = projectionOf(
    wanted.length === 0 ? [] : [...wanted, ...sort.map(({ column }) => column)],
  );
  const found: Document[] = await db
    .collection(resource)
    .find(filter, {
      ...bounds,
      sort: orderOf(sort),
      limit: limit + 1,
      batchSize: limit + 1,
      ...(projection === null ? {} : { projection }),
    })
    .toArray();
  const shown = found.slice(0, limit);
  const names = wanted.length === 0 ? described.top.map(({ name }) => name) : wanted;
  const { columns, rows } = rowsOf(shown, names, wanted.length === 0, known);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return { columns, rows, next_cursor: last === undefined ? null : encodeCursor(request, sort, last) };
}

/** Rows of one shape: the columns of the sample, and further fields that documents of the page have. */
function rowsOf(
  documents: readonly Document[],
  names: readonly string[],
  isOpen: boolean,
  known: readonly Column[],
) {
  const more = isOpen ? documents.flatMap((document) => Object.keys(document)) : [];
  const wanted = [...new Set([...names, ...more])];
  const shape = new DocumentShape(wanted);
  const flat = documents.map((document) => flattened(document, wanted));
  for (const document of flat) shape.admit(document);
  const types = new Map(known.map((column) => [column.name, column]));
  const columns = shape.columns().map((column) => {
    const sampled = types.get(column.name);
    return column.type === 'unknown' && sampled !== undefined ? sampled : column;
  });
  return { columns, rows: flat.map((document) => shape.row(document)) };
}

/** Texts contain it whatever the case; an id, a number or a time that is written like this matches, too. */
function searchFilter({ text, columns }: NonNullable<PageRequest['search']>): Document {
  const values = spellings('search', text).slice(1);
  const pattern = { $regex: escaped(text), $options: 'i' };
  return {
    $or: columns.flatMap((column) => [
      { [column]: pattern },
      ...(values.length === 0 ? [] : [{ [column]: { $in: values } }]),
    ]),
  };
}

/**
 * Types in the order in which the database sorts values of different ones (MongoDB manual, "Comparison/Sort Order"), without those that it
 * uses itself.
 */
const TYPE_ORDER: readonly string[] = [
  'null',
  'number',
  'string',
  'object',
  'array',
  'binData',
  'objectId',
  'bool',
  'date',
  'timestamp',
  'regex',
];

function typeRank(value: unknown): number {
  const found = (name: string) => TYPE_ORDER.indexOf(name);
  switch (typeof value) {
    case 'number':
      return found('number');
    case 'string':
      return found('string');
    case 'boolean':
      return found('bool');
    default:
      return typeof value === 'object' && value !== null ? found(typeOfObject(value)) : found('null');
  }
}

const BSON_TYPES: Readonly<Record<string, string>> = {
  ObjectId: 'objectId',
  Long: 'number',
  Decimal128: 'number',
  Double: 'number',
  Int32: 'number',
  Binary: 'binData',
  Timestamp: 'timestamp',
  BSONRegExp: 'regex',
};

function typeOfObject(value: object): string {
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  return BSON_TYPES[String((value as { _bsontype?: unknown })._bsontype)] ?? 'object';
}

/** Documents that come after these values of the order's fields; of `_id` there is always a value. */
function afterFilter(sort: readonly SortTerm[], values: readonly unknown[]): Document {
  const alternatives = sort.flatMap((term, index) => {
    const ties = sort.slice(0, index).map(({ column }, at) => ({ [column]: values[at] ?? null }));
    const after = beyond(term, values[index] ?? null);
    return after === null ? [] : [allOf([...ties, after])];
  });
  return { $or: alternatives };
}

/** Beyond a value: of its own type by comparison, of the types after it all. Null where nothing is beyond. */
function beyond({ column, descending }: SortTerm, value: unknown): Document | null {
  if (value === null) return descending ? null : { [column]: { $ne: null } };
  const rank = typeRank(value);
  const types = descending ? TYPE_ORDER.slice(1, rank) : TYPE_ORDER.slice(rank + 1);
  const either: Document[] = [{ [column]: { [descending ? '$lt' : '$gt']: value } }];
  if (descending) either.push({ [column]: null });
  if (types.length > 0) either.push({ [column]: { $type: types } });
  return { $or: either };
}

function encodeCursor(request: PageRequest, sort: readonly SortTerm[], last: Document): string {
  const names = sort.map(({ column }) => column);
  const flat = flattened(last, names);
  const values = names.map((name) => flat[name] ?? null);
  const place = BSON.EJSON.serialize({ k: values }, { relaxed: false });
  return cursorText({ q: queryOf(request), ...place });
}

function decodeCursor(request: PageRequest, sort: readonly SortTerm[]): readonly unknown[] | null {
  const { cursor } = request;
  if (cursor === undefined) return null;
  const foreign = new CursorError('The cursor belongs to another query; start with the first page');
  const read = readCursor(cursor);
  if (read?.['q'] !== queryOf(request)) throw foreign;
  try {
    const values: unknown = fromExtended(read['k'], 'cursor');
    if (Array.isArray(values) && values.length === sort.length) return values;
  } catch {
    throw foreign;
  }
  throw foreign;
}
