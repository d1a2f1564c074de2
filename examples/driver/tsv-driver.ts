/** A driver of one's own: tables are the files *.tsv of a folder, with the names of their columns in the first line. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import type * as headgate from 'headgate/driver';

const columnsOf = (header: string): headgate.Column[] =>
  header.split('\t').map((name) => ({ name, type: 'string', nullable: true }));

class Folder {
  constructor(path: string, kit: headgate.DriverKit) {
    this.path = path;
    this.kit = kit;
  }
  readonly path: string;
  readonly kit: headgate.DriverKit;

  async tables(): Promise<string[]> {
    const names = await readdir(this.path).catch((cause: Error) => {
      throw new this.kit.ConnectorError('CONFIG', `The folder cannot be read: ${cause.message}`);
    });
    return names.filter((name) => name.endsWith('.tsv')).map((name) => name.slice(0, -4));
  }

  async fileOf(table: string): Promise<string> {
    if ((await this.tables()).includes(table)) return join(this.path, `${table}.tsv`);
    throw new this.kit.AbsentResourceError(`There is no table "${table}"`);
  }

  async describe(table: string): Promise<headgate.Column[]> {
    const file = await open(await this.fileOf(table));
    for await (const line of file.readLines()) return columnsOf(line);
    return [];
  }

  async *rows(
    table: string,
    {
      signal,
      limit = Infinity,
      batchRows = 1000,
    }: Pick<headgate.ReadRequest, 'signal' | 'limit' | 'batchRows'>,
    skip = 0,
  ) {
    const input = createReadStream(await this.fileOf(table));
    let columns: headgate.Column[] = [];
    let rows: headgate.Row[] = [];
    let at = -1;
    try {
      for await (const line of createInterface({ input })) {
        signal.throwIfAborted();
        if (at++ < 0) columns = columnsOf(line);
        if (at <= skip) continue;
        if (at > skip + limit) break;
        const cells = line.split('\t');
        rows.push(Object.fromEntries(columns.map(({ name }, cell) => [name, cells[cell] || null])));
        if (rows.length < batchRows) continue;
        yield { columns, rows };
        rows = [];
      }
      if (rows.length > 0) yield { columns, rows };
    } finally {
      input.destroy();
    }
  }

  async write({ object, mode }: headgate.WriteRequest): Promise<headgate.Writer> {
    const { ConnectorError } = this.kit;
    if (mode !== 'replace') throw new ConnectorError('CONFIG', `Files are replaced; the mode is "${mode}"`);
    if (!/^\w+$/.test(object)) throw new ConnectorError('CONFIG', `"${object}" is no name of a table`);
    const staging = join(this.path, `.${object}-${randomUUID()}`);
    let written = 0;
    const textOf = (value: unknown) => {
      const text = value === null ? '' : String(value);
      if (!/[\t\r\n]/.test(text)) return text;
      throw new ConnectorError('DATA', 'A value has a tab or a line break');
    };
    return {
      alreadyDone: null,
      async write({ columns, rows }) {
        const names = columns.map(({ name }) => name);
        const lines = rows.map((row) => names.map((name) => textOf(row[name])).join('\t'));
        if (written === 0) lines.unshift(names.join('\t'));
        await writeFile(staging, `${lines.join('\n')}\n`, { flag: 'a' });
        written += rows.length;
      },
      commit: async () => {
        if (written > 0) await rename(staging, join(this.path, `${object}.tsv`));
        return { rows: written };
      },
      abort: () => rm(staging, { force: true }),
    };
  }
}

function create(kit: headgate.DriverKit): headgate.CustomDriver {
  const { z, ConnectorError, parseInput, pageRows } = kit;
  const config = z.strictObject({ folder: z.string().min(1).describe('Folder of the files.') });
  const readArgs = z.strictObject({ table: z.string().describe('Name of the file, without ".tsv".') });
  const unknown = (method: string) => new ConnectorError('CONFIG', `There is no method "${method}"`);
  return {
    type: 'tsv',
    title: 'Tab-separated files',
    capabilities: { write: ['replace'], introspect: true },
    config,
    secrets: [],
    hostKeys: [],
    methods: [
      {
        name: 'read',
        summary: 'Reads the rows of a table',
        kind: 'rows',
        args: readArgs,
        cursor: { kind: 'state' },
        pageOf: (args) => ({ resource: (args as { table: string }).table }),
      },
    ],
    async connect(given, { fileRoots }) {
      const { folder: wanted } = parseInput(config, given, 'the configuration');
      const isAllowed = (root: string) => `${resolve(root, wanted)}${sep}`.startsWith(`${root}${sep}`);
      const root = fileRoots.find(isAllowed);
      if (root === undefined)
        throw new ConnectorError('CONFIG', `The folder "${wanted}" is in none of those that are allowed`);
      const folder = new Folder(resolve(root, wanted), kit);
      return {
        test: async () => `Tables: ${(await folder.tables()).length}`,
        listResources: async () => (await folder.tables()).map((name) => ({ name, type: 'table' })),
        describe: (table) => folder.describe(table),
        async *read({ method, args, state, ...request }) {
          if (method !== 'read') throw unknown(method);
          const { table } = parseInput(readArgs, args, 'the arguments of "read"');
          // The state is how many rows were read.
          let done = Number(state?.saved ?? 0);
          for await (const batch of folder.rows(table, request, done)) {
            yield batch;
            done += batch.rows.length;
          }
          state?.onState(done);
        },
        page: async (request) => {
          const rows = (skip: number) => folder.rows(request.resource, { signal: request.signal }, skip);
          return pageRows({ version: '', columns: await folder.describe(request.resource), rows }, request);
        },
        call: async (method) => Promise.reject(unknown(method)),
        openWriter: (request) => folder.write(request),
        close: async () => undefined,
      };
    },
  };
}

/** What `headgate driver test` works with. */
async function sample(folder: string): Promise<headgate.DriverSample> {
  await writeFile(join(folder, 'people.tsv'), 'id\tname\n1\tAda\n2\tBob\n3\tCy\n');
  const read = { method: 'read', args: { table: 'people' } };
  const write = {
    object: 'copy',
    read: { method: 'read', args: { table: 'copy' } },
    refused: { id: 9, name: 'a\tb' },
  };
  const wrong = [{ config: { folder: join(folder, 'none') }, fault: 'CONFIG', says: /none/ }] as const;
  return { config: { folder }, read, write, wrong };
}

export default { interfaceVersion: 1, create, sample } satisfies headgate.DriverModule;
