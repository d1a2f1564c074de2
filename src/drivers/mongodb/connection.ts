import type {
  Batch,
  Column,
  ConnectContext,
  Connection,
  Page,
  PageRequest,
  ReadRequest,
  Resource,
  WriteRequest,
  Writer,
} from '../driver.ts';
import { parseInput } from '../files/parse-input.ts';
import { RowsWait } from '../sql/rows-wait.ts';
import { cancelled } from '../sql/session-turns.ts';
import { callMethod } from './call-method.ts';
import { MongoAccess } from './client.ts';
import { mongodbConfig } from './config.ts';
import { describeCollection, listCollections } from './introspect.ts';
import { openMongoWriter } from './load/writer.ts';
import { mongoFault } from './mongo-fault.ts';
import { readCollectionPage } from './page.ts';
import { readDocuments } from './read.ts';

/** Connecting to the server happens with the first call. */
export async function connectMongodb(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(mongodbConfig, config, 'the configuration');
  return new MongoConnection(new MongoAccess(parsed, context));
}

/** One database. Read-only execution: stages and operators are on a list of those that compute from documents alone. */
class MongoConnection implements Connection {
  readonly #access: MongoAccess;

  constructor(access: MongoAccess) {
    this.#access = access;
  }

  async test(signal: AbortSignal): Promise<string> {
    return this.#access.run(signal, async (db) => {
      // What needs a login, so that a wrong password is told of.
      const collections = await db.listCollections({}, { nameOnly: true, signal }).toArray();
      const { version } = await db.command({ buildInfo: 1 });
      const way = (await this.#access.hasTransactions()) ? 'with transactions' : 'without transactions';
      // A database comes into being with its first document, so that one with a misspelt name is no error.
      const note = collections.length === 0 ? '; the database has no collections' : '';
      return `MongoDB ${String(version)}, ${way}${note}`;
    });
  }

  async listResources(signal: AbortSignal): Promise<readonly Resource[]> {
    return this.#access.run(signal, (db) => listCollections(db, signal));
  }

  async describe(resource: string, signal: AbortSignal): Promise<readonly Column[]> {
    const maxTimeMS = this.#access.operationTimeoutMs;
    return this.#access.run(signal, async (db) => {
      const { top, nested } = await describeCollection(db, resource, { signal, maxTimeMS });
      return [...top, ...nested];
    });
  }

  async *read(request: ReadRequest): AsyncGenerator<Batch> {
    const { signal } = request;
    const { operationTimeoutMs } = this.#access;
    // The database counts all that it does for a cursor: whoever wants all rows waits for the next ones in place of that.
    const isTimed = request.limit !== undefined;
    const wait = new RowsWait(signal, isTimed ? null : operationTimeoutMs, 'operation_timeout_ms');
    try {
      const db = await this.#access.run(signal, async (db) => db);
      const waited = { ...request, signal: wait.signal };
      yield* wait.timed(readDocuments(db, waited, isTimed ? operationTimeoutMs : null));
    } catch (error) {
      if (signal.aborted) throw cancelled(error);
      throw wait.fault ?? mongoFault(error, 'read');
    }
  }

  async page(request: PageRequest): Promise<Page> {
    const { operationTimeoutMs } = this.#access;
    return this.#access.run(request.signal, (db) => readCollectionPage(db, request, operationTimeoutMs));
  }

  async call(method: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    return callMethod(this.#access, method, args, signal);
  }

  async openWriter(request: WriteRequest): Promise<Writer> {
    return openMongoWriter(this.#access, request);
  }

  async close(): Promise<void> {
    await this.#access.close();
  }
}
