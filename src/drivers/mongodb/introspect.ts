import type { Db } from 'mongodb';
import { AbsentResourceError, type Column, type Resource, type Row } from '../driver.ts';
import { requireCollection } from './query/guard.ts';
import { DocumentShape } from './values/document-shape.ts';

/** Collections of the driver's own, which no list shows. */
export const ownPrefix = '_headgate_';
const sampledDocuments = 100;
/** How deep fields of nested documents are named, and how many of them. */
const nestingMax = 5;
const nestedMax = 1_000;

/** Collections and views, by name. */
export async function listCollections(db: Db, signal: AbortSignal): Promise<readonly Resource[]> {
  const found = await db.listCollections({}, { nameOnly: true, signal }).toArray();
  return found
    .filter(({ name }) => !name.startsWith(ownPrefix) && !name.startsWith('system.'))
    .map(({ name, type = 'collection' }) => ({ name, type }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Throws where the database has no such collection, rather than finding nothing in it. */
export async function requireThere(db: Db, name: string, signal: AbortSignal): Promise<void> {
  requireCollection(name, 'collection');
  const found = await db.listCollections({ name }, { nameOnly: true, signal }).toArray();
  if (found.length === 0) throw new AbsentResourceError(`There is no collection "${name}"`);
}

/**
 * The fields of a collection as a sample of its documents has them: those of the top level, then nested ones as `address.city`. A field
 * that a sampled document lacks may be null.
 */
export async function describeCollection(
  db: Db,
  name: string,
  { signal, maxTimeMS }: { readonly signal: AbortSignal; readonly maxTimeMS: number },
): Promise<{ readonly top: readonly Column[]; readonly nested: readonly Column[] }> {
  await requireThere(db, name, signal);
  const collection = db.collection(name);
  const options = { signal, maxTimeMS };
  const documents = await collection
    .aggregate([{ $sample: { size: sampledDocuments } }], options)
    .toArray()
    // Not every server that speaks the protocol has samples.
    .catch(() => collection.find({}, { ...options, limit: sampledDocuments }).toArray());
  const top = columnsOf(documents);
  const nested = nestedDocuments(documents);
  return { top, nested: columnsOf(nested) };
}

function columnsOf(documents: readonly Row[]): Column[] {
  const shape = new DocumentShape(null);
  const seen = new Map<string, number>();
  for (const document of documents) {
    shape.admit(document);
    for (const [name, value] of Object.entries(document)) {
      if (value !== null && value !== undefined) seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  }
  return shape
    .columns()
    .map((column) => ({ ...column, nullable: seen.get(column.name) !== documents.length }));
}

/** The documents' nested fields alone, on one level. */
function nestedDocuments(documents: readonly Row[]): Row[] {
  return documents.map((document) => {
    const flat: Row = {};
    for (const [name, value] of Object.entries(document)) addNested(flat, name, value, nestingMax);
    return flat;
  });
}

function addNested(flat: Row, path: string, value: unknown, depth: number): void {
  const isDocument =
    value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
  if (!isDocument || depth === 0) return;
  for (const [name, item] of Object.entries(value)) {
    if (name.includes('.') || Object.keys(flat).length >= nestedMax) continue;
    flat[`${path}.${name}`] = item;
    addNested(flat, `${path}.${name}`, item, depth - 1);
  }
}
