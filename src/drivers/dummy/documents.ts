import type { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { type Batch, ConnectorError, type Row } from '../driver.ts';
import type { dummyFindArgs } from './config.ts';
import { documentFilter, valueAt } from './document-filter.ts';
import { asRow, columnsOf, type ScriptedRead, scriptedBatches, scriptedDocuments } from './script.ts';

/** Most documents that are held at once, to be sorted or to go through stages. */
export const heldDocumentsMax = 100_000;

type DocumentRead = Omit<ScriptedRead, 'matches' | 'skip'>;

/** The scripted rows that match a filter. Throws `CONFIG` for more than 100,000 to sort. */
export function findDocuments(
  args: z.output<typeof dummyFindArgs>,
  read: DocumentRead,
): AsyncIterable<Batch> {
  const matches = documentFilter(args.filter);
  const limit = Math.min(read.limit, args.limit ?? Number.POSITIVE_INFINITY);
  const { sort = {} } = args;
  if (Object.keys(sort).length === 0) return scriptedBatches({ ...read, matches, limit, skip: 0 });
  const order = documentOrder(sort);
  return batchesOf(read, matches, (documents) => documents.toSorted(order).slice(0, limit));
}

/** The scripted rows through a pipeline. Throws `CONFIG` where more than 100,000 match its first stages. */
export function aggregateDocuments(pipeline: readonly Row[], read: DocumentRead): AsyncIterable<Batch> {
  const first = pipeline.findIndex((stage) => !Object.hasOwn(stage, '$match'));
  const matching = pipeline.slice(0, first === -1 ? pipeline.length : first).map(documentStage);
  const stages = pipeline.slice(matching.length).map(documentStage);
  const matches = (document: Row) => matching.every((stage) => stage([document]).length === 1);
  return batchesOf(read, matches, (documents) => {
    return stages.reduce((found, stage) => stage(found), documents).slice(0, read.limit);
  });
}

async function* batchesOf(
  read: DocumentRead,
  matches: (document: Row) => boolean,
  through: (documents: readonly Row[]) => readonly Row[],
): AsyncGenerator<Batch, void, undefined> {
  const held: Row[] = [];
  for await (const documents of scriptedDocuments({
    ...read,
    matches,
    limit: heldDocumentsMax + 1,
    skip: 0,
  })) {
    for (const document of documents) held.push(document);
  }
  if (held.length > heldDocumentsMax) {
    const most = heldDocumentsMax.toLocaleString('en');
    throw new ConnectorError('CONFIG', `Only ${most} documents can be held; filter them first`);
  }
  const found = through(held);
  const columns = columnsOf(found);
  for (let from = 0; from < found.length; from += read.batchRows) {
    const rows = found.slice(from, from + read.batchRows).map((document) => asRow(document, columns));
    yield { columns, rows };
  }
}

type DocumentStage = (documents: readonly Row[]) => readonly Row[];

const STAGES = '$match, $limit, $skip, $sort, $count and $project (of the fields to keep)';

function unknown(problem: string): ConnectorError {
  return new ConnectorError('CONFIG', `${problem}; a dummy connector supports the stages ${STAGES}`);
}

/** A stage of a document database's pipeline over scripted rows. Throws `CONFIG` for any that is not among the six. */
function documentStage(stage: Row): DocumentStage {
  const [entry, another] = Object.entries(stage);
  if (entry === undefined || another !== undefined) throw unknown('A stage is an object with one key');
  const [name, value] = entry;
  switch (name) {
    case '$match': {
      if (!isRecord(value)) throw unknown('"$match" takes a filter');
      const matches = documentFilter(value);
      return (documents) => documents.filter(matches);
    }
    case '$limit': {
      const limit = countOf(name, value, 1);
      return (documents) => documents.slice(0, limit);
    }
    case '$skip': {
      const skipped = countOf(name, value, 0);
      return (documents) => documents.slice(skipped);
    }
    case '$sort': {
      if (!isRecord(value) || Object.keys(value).length === 0) throw unknown('"$sort" takes fields');
      return (documents) => documents.toSorted(documentOrder(value));
    }
    case '$count': {
      if (typeof value !== 'string' || !/^[^$.][^.]*$/.test(value))
        throw unknown('"$count" takes the name of a field');
      return (documents) => (documents.length === 0 ? [] : [{ [value]: documents.length }]);
    }
    case '$project':
      return projection(value);
    default:
      throw unknown(`There is no stage "${name}" here`);
  }
}

function countOf(name: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw unknown(`"${name}" takes a whole number of at least ${least}`);
}

/** `{age: -1, name: 1}` as an order; a value comes after those of the kinds before its own, and a missing field first. */
function documentOrder(sort: Readonly<Record<string, unknown>>): (a: Row, b: Row) => number {
  const keys = Object.entries(sort).map(([name, sign]) => {
    if (sign !== 1 && sign !== -1) throw unknown(`The order of "${name}" is 1 or -1`);
    return { path: name.split('.'), sign };
  });
  return (a, b) => {
    for (const { path, sign } of keys) {
      const result = compare(valueAt(a, path) ?? null, valueAt(b, path) ?? null);
      if (result !== 0) return result * sign;
    }
    return 0;
  };
}

const KINDS = ['number', 'string', 'object', 'boolean'];

function compare(a: unknown, b: unknown): number {
  const [x, y] = [a, b].map((value) => (value === null ? -1 : KINDS.indexOf(typeof value)));
  if (x !== y) return (x ?? 0) - (y ?? 0);
  if (a === null || typeof a === 'object') return 0;
  return a === b ? 0 : (a as string | number) < (b as string | number) ? -1 : 1;
}

/** Keeps the named fields, and `_id` where it is not left out by name. */
function projection(value: unknown): DocumentStage {
  const entries = isRecord(value) ? Object.entries(value) : [];
  const isLeftOut = (wanted: unknown) => wanted === 0 || wanted === false;
  const kept = entries.filter(([name, wanted]) => name !== '_id' || !isLeftOut(wanted));
  const isKept = ([name, wanted]: [string, unknown]) =>
    (wanted === 1 || wanted === true) && /^[^$.][^.]*$/.test(name);
  if (kept.length === 0 || !kept.every(isKept))
    throw unknown('"$project" takes fields to keep, each with 1 or true');
  const names = new Set(['_id', ...kept.map(([name]) => name)]);
  if (kept.length < entries.length) names.delete('_id');
  return (documents) =>
    documents.map((document) =>
      Object.fromEntries(Object.entries(document).filter(([name]) => names.has(name))),
    );
}
