import type { z } from 'zod';
import { type Batch, ConnectorError, type Row } from '../driver.ts';
import type { dummyFindArgs } from './config.ts';
import { documentFilter } from './document-filter.ts';
import { documentOrder, documentStage } from './document-stages.ts';
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
