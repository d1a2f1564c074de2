import { aggregate, find, ProcessingMode } from 'mingo';
import { update } from 'mingo/updater';
import { BSON, Long, type ObjectId } from 'mongodb';

export type Command = Record<string, unknown>;

interface Index {
  readonly name: string;
  readonly key: Record<string, number>;
  readonly unique?: boolean;
}

interface Stored {
  readonly documents: Command[];
  readonly indexes: Index[];
}

type Collections = Map<string, Stored>;

class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const BY_ID: Index = { name: '_id_', key: { _id: 1 } };
const batchDefault = 101;

/** Collections in memory, with the commands that a driver's client needs, and transactions that see and change a copy. */
export class DocumentStore {
  #collections: Collections = new Map();
  readonly #transactions = new Map<string, Collections>();
  readonly #cursors = new Map<string, { documents: Command[]; ns: string }>();
  #cursorId = 1;

  documents(name: string): Command[] {
    return stored(this.#collections, name).documents;
  }

  run(name: string, command: Command): object {
    try {
      return { ...this.#run(name, command), ok: 1 };
    } catch (error) {
      if (error instanceof Refusal) return { ok: 0, code: error.code, errmsg: error.message };
      return { ok: 0, code: 8, errmsg: String(error) };
    }
  }

  #run(name: string, command: Command): object {
    const collections = this.#collectionsFor(command);
    const target = String(command[name]);
    const ns = `${String(command['$db'])}.${target}`;
    switch (name) {
      case 'ping':
      case 'endSessions':
      case 'killCursors':
        return {};
      case 'buildInfo':
        return { version: '8.0.0' };
      case 'listCollections':
        return this.#cursor(
          `${String(command['$db'])}.$cmd.listCollections`,
          this.#named(collections, command),
          command,
        );
      case 'listIndexes':
        if (!collections.has(target)) throw new Refusal(26, 'ns does not exist');
        return this.#cursor(
          ns,
          stored(collections, target).indexes.map((index) => ({ v: 2, ...index })),
          command,
        );
      case 'create':
        stored(collections, target);
        return {};
      case 'createIndexes':
        return createIndexes(stored(collections, target), command['indexes'] as Index[]);
      case 'drop':
        collections.delete(target);
        return {};
      case 'insert':
        return writeEach(command['documents'] as Command[], (document) =>
          insert(stored(collections, target), document, ns),
        );
      case 'update':
        return this.#update(collections, target, command, ns);
      case 'delete':
        return { n: remove(stored(collections, target), command['deletes'] as Command[]) };
      case 'find':
        return this.#cursor(ns, found(stored(collections, target).documents, command), command);
      case 'aggregate':
        return this.#cursor(ns, piped(collections, target, command['pipeline'] as object[]), command);
      case 'distinct': {
        const documents = found(stored(collections, target).documents, { filter: command['query'] });
        return { values: [...new Set(documents.map((document) => document[String(command['key'])]))] };
      }
      case 'getMore':
        return this.#more(command);
      case 'renameCollection':
        return rename(this.#collections, command);
      case 'commitTransaction':
        this.#collections = collections;
        this.#transactions.delete(transactionOf(command));
        return {};
      case 'abortTransaction':
        this.#transactions.delete(transactionOf(command));
        return {};
      default:
        throw new Refusal(59, `no such command: '${name}'`);
    }
  }

  #collectionsFor(command: Command): Collections {
    if (command['autocommit'] !== false) return this.#collections;
    const key = transactionOf(command);
    if (command['startTransaction'] === true) {
      const copies = [...this.#collections].map(([name, { documents, indexes }]) => {
        const copy: Stored = { documents: documents.map(copyOf), indexes: [...indexes] };
        return [name, copy] as const;
      });
      this.#transactions.set(key, new Map(copies));
    }
    const copy = this.#transactions.get(key);
    if (copy === undefined) throw new Refusal(251, 'no such transaction');
    return copy;
  }

  #named(collections: Collections, { filter }: Command): Command[] {
    const all = [...collections.keys()].map((name) => ({ name, type: 'collection', options: {}, info: {} }));
    return found(all, { filter });
  }

  #cursor(ns: string, documents: Command[], { batchSize, cursor }: Command): object {
    const size = Number(batchSize ?? (cursor as Command | undefined)?.['batchSize'] ?? batchDefault);
    const rest = documents.slice(size);
    const id = rest.length === 0 ? Long.ZERO : Long.fromNumber(this.#cursorId++);
    if (rest.length > 0) this.#cursors.set(String(id), { documents: rest, ns });
    return { cursor: { id, ns, firstBatch: documents.slice(0, size) } };
  }

  #more({ getMore: id, batchSize = batchDefault }: Command): object {
    const open = this.#cursors.get(String(id));
    if (open === undefined) throw new Refusal(43, 'cursor not found');
    const nextBatch = open.documents.splice(0, Number(batchSize));
    const isDone = open.documents.length === 0;
    return { cursor: { id: isDone ? Long.ZERO : Long.fromValue(id as number), ns: open.ns, nextBatch } };
  }

  #update(collections: Collections, target: string, { updates }: Command, ns: string): object {
    const into = stored(collections, target);
    const upserted: { index: number; _id: unknown }[] = [];
    let modified = 0;
    const done = writeEach(updates as Command[], ({ q, u, upsert, multi }, index) => {
      const documents = found(into.documents, { filter: q });
      const chosen = multi === true ? documents : documents.slice(0, 1);
      for (const document of chosen) {
        const at = into.documents.indexOf(document);
        const changed = changedBy(copyOf(document), u as Command, false);
        refuseDuplicates(into, changed, document, ns);
        into.documents[at] = changed;
        modified += 1;
      }
      if (chosen.length > 0 || upsert !== true) return;
      const made = changedBy({ ...equalities(q as Command) }, u as Command, true);
      insert(into, made, ns);
      upserted.push({ index, _id: made['_id'] });
    });
    return { ...done, nModified: modified, ...(upserted.length > 0 ? { upserted } : {}) };
  }
}

function transactionOf({ lsid, txnNumber }: Command): string {
  return BSON.EJSON.stringify([lsid, txnNumber]);
}

function copyOf(document: Command): Command {
  return BSON.deserialize(BSON.serialize(document), { bsonRegExp: false });
}

function stored(collections: Collections, name: string): Stored {
  const known = collections.get(name) ?? { documents: [], indexes: [BY_ID] };
  collections.set(name, known);
  return known;
}

function found(documents: readonly Command[], { filter, sort, limit, projection }: Command): Command[] {
  const cursor = find(documents as Command[], (filter ?? {}) as never, (projection ?? {}) as never);
  if (sort !== undefined && sort !== null) cursor.sort(sort as never);
  if (limit !== undefined) cursor.limit(Number(limit));
  return cursor.all() as Command[];
}

function piped(collections: Collections, target: string, pipeline: readonly object[]): Command[] {
  const documentsOf = (name: string) => stored(collections, name).documents.map(copyOf);
  return aggregate(documentsOf(target), [...pipeline] as never, {
    processingMode: ProcessingMode.CLONE_ALL,
    collectionResolver: documentsOf as never,
  }) as Command[];
}

/** Each by itself, as with `ordered: false`; what is refused is told with its index. */
function writeEach(items: readonly Command[], work: (item: Command, index: number) => void): object {
  const writeErrors: object[] = [];
  for (const [index, item] of items.entries()) {
    try {
      work(item, index);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message });
    }
  }
  return { n: items.length - writeErrors.length, ...(writeErrors.length > 0 ? { writeErrors } : {}) };
}

function insert(into: Stored, document: Command, ns: string): void {
  document['_id'] ??= new BSON.ObjectId() satisfies ObjectId;
  refuseDuplicates(into, document, null, ns);
  into.documents.push(document);
}

function refuseDuplicates(
  { documents, indexes }: Stored,
  document: Command,
  before: Command | null,
  ns: string,
): void {
  for (const { name, key, unique } of indexes) {
    if (unique !== true && name !== BY_ID.name) continue;
    const keyOf = (one: Command) => BSON.EJSON.stringify(Object.keys(key).map((field) => one[field] ?? null));
    const wanted = keyOf(document);
    if (!documents.some((other) => other !== before && keyOf(other) === wanted)) continue;
    const shown = Object.keys(key).map((field) => `${field}: ${JSON.stringify(document[field] ?? null)}`);
    throw new Refusal(
      11_000,
      `E11000 duplicate key error collection: ${ns} index: ${name} dup key: { ${shown.join(', ')} }`,
    );
  }
}

function equalities(filter: Command): Command {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => !name.startsWith('$')));
}

function changedBy(document: Command, change: Command, isNew: boolean): Command {
  const { $setOnInsert: first = {}, ...always } = change;
  if (Object.keys(always).length > 0) update(document, always as never);
  return isNew ? { ...(first as Command), ...document } : document;
}

function remove(from: Stored, deletes: readonly Command[]): number {
  let removed = 0;
  for (const { q, limit } of deletes) {
    const documents = found(from.documents, { filter: q });
    for (const document of limit === 1 ? documents.slice(0, 1) : documents) {
      from.documents.splice(from.documents.indexOf(document), 1);
      removed += 1;
    }
  }
  return removed;
}

function createIndexes(into: Stored, indexes: readonly Index[]): object {
  for (const index of indexes)
    if (!into.indexes.some(({ name }) => name === index.name)) into.indexes.push(index);
  return {};
}

function rename(collections: Collections, { renameCollection, to, dropTarget }: Command): object {
  const nameIn = (ns: unknown) => String(ns).slice(String(ns).indexOf('.') + 1);
  const [from, target] = [nameIn(renameCollection), nameIn(to)];
  if (collections.has(target) && dropTarget !== true) throw new Refusal(48, 'target namespace exists');
  collections.set(target, stored(collections, from));
  collections.delete(from);
  return {};
}
