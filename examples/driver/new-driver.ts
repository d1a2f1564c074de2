/** The connector type "my_store", which reads: tables are the files *.json of a folder, each a list of rows. Begin with `Store`. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type * as headgate from 'headgate/driver';

/** What knows the store, and nothing of connectors. */
class Store {
  constructor(folder: string) {
    this.folder = folder;
  }
  readonly folder: string;

  async tables(): Promise<string[]> {
    const files = await readdir(this.folder);
    return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
  }

  async rows(table: string): Promise<headgate.Row[]> {
    return JSON.parse(await readFile(join(this.folder, `${table}.json`), 'utf8')) as headgate.Row[];
  }
}

function columnsOf(rows: readonly headgate.Row[]): headgate.Column[] {
  const types = { string: 'string', number: 'number', boolean: 'boolean' } as const;
  return Object.keys(rows[0] ?? {}).map((name) => {
    const value = rows.map((row) => row[name]).find((one) => one !== null);
    return { name, type: types[typeof value as keyof typeof types] ?? 'json', nullable: true };
  });
}

function create(kit: headgate.DriverKit): headgate.CustomDriver {
  const { z, ConnectorError } = kit;
  const config = z.strictObject({ folder: z.string().min(1).describe('Folder of the tables.') });
  const readArgs = z.strictObject({ table: z.string().min(1).describe('Name of the table.') });
  const noMethod = (method: string) => new ConnectorError('CONFIG', `There is no method "${method}"`);

  async function connect(
    given: unknown,
    { fileRoots }: headgate.DriverContext,
  ): Promise<headgate.Connection> {
    const { folder } = kit.parseInput(config, given, 'the configuration');
    const path = resolve(fileRoots[0] ?? '/', folder);
    if (!fileRoots.some((root) => `${path}${sep}`.startsWith(`${root}${sep}`)))
      throw new ConnectorError('CONFIG', `The folder "${folder}" is in none of those that are allowed`);
    const store = new Store(path);
    const rowsOf = async (table: string) => {
      if ((await store.tables()).includes(table)) return store.rows(table);
      throw new kit.AbsentResourceError(`There is no table "${table}"`);
    };
    async function* batches(table: string, signal: AbortSignal, skip = 0, limit = Infinity, size = 1000) {
      const rows = (await rowsOf(table)).slice(skip, skip + limit);
      for (let at = 0; at < rows.length; at += size) {
        signal.throwIfAborted();
        yield { columns: columnsOf(rows), rows: rows.slice(at, at + size) };
      }
    }
    return {
      test: async () => `${(await store.tables()).length} tables`,
      listResources: async () => (await store.tables()).map((name) => ({ name, type: 'table' })),
      describe: async (table) => columnsOf(await rowsOf(table)),
      async *read({ method, args, signal, limit, batchRows }) {
        if (method !== 'read') throw noMethod(method);
        const { table } = kit.parseInput(readArgs, args, 'the arguments of "read"');
        yield* batches(table, signal, 0, limit, batchRows);
      },
      page: async (request) => {
        const columns = columnsOf(await rowsOf(request.resource));
        const rows = (skip: number) => batches(request.resource, request.signal, skip);
        return kit.pageRows({ version: '', columns, rows }, request);
      },
      call: (method) => Promise.reject(noMethod(method)),
      openWriter: () => Promise.reject(new ConnectorError('CONFIG', 'My store cannot be written to')),
      close: async () => undefined,
    };
  }

  const pageOf = (args: unknown) => ({ resource: (args as { table: string }).table });
  return {
    type: 'my_store',
    title: 'My store',
    capabilities: { write: [], introspect: true },
    config,
    secrets: [],
    hostKeys: [],
    methods: [{ name: 'read', summary: 'Reads a table', kind: 'rows', args: readArgs, pageOf }],
    connect,
  };
}

/** What `headgate driver test` works with. */
async function sample(folder: string): Promise<headgate.DriverSample> {
  const people = ['Ada', 'Bob', 'Cy'].map((name, id) => ({ id, name }));
  await writeFile(join(folder, 'people.json'), JSON.stringify(people));
  return { config: { folder }, read: { method: 'read', args: { table: 'people' } } };
}

export default { interfaceVersion: 1, create, sample } satisfies headgate.DriverModule;
