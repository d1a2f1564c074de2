import { z } from 'zod';
import {
  BATCH_ROWS_DEFAULT,
  type Batch,
  type Column,
  type Connection,
  ConnectorError,
  type Driver,
  type Method,
  type ReadRequest,
  type Row,
} from './driver.ts';
import { parseInput } from './files/parse-input.ts';

const noArgs = z.strictObject({});
const columnsArgs = z.strictObject({
  resource: z
    .string()
    .max(500)
    .optional()
    .describe('The table, file or entity; optional if there is only one.'),
});

/** What every connector can tell of itself as rows: the choices of a field mapping, most of all. */
const METHODS: readonly Method[] = [
  {
    name: 'resources',
    summary: 'The existing tables, files or entities: name, type',
    kind: 'rows',
    args: noArgs,
    scope: { kind: 'unscoped' },
  },
  {
    name: 'columns',
    summary: 'The columns of a resource: name, type, nullable',
    kind: 'rows',
    args: columnsArgs,
    scope: { kind: 'unscoped' },
  },
];

/** Their names, which no driver gives to methods of its own. */
export const INTROSPECTION_METHODS: readonly string[] = METHODS.map(({ name }) => name);

/** The driver with the methods `resources` and `columns` beside its own, where it can look into its other side. */
export function withIntrospection(driver: Driver): Driver {
  if (!driver.capabilities.introspect) return driver;
  return {
    ...driver,
    methods: [...driver.methods, ...METHODS],
    connect: async (config, context) => introspecting(await driver.connect(config, context)),
  };
}

/** A connection is an object with a prototype, so that each of its parts is passed on by name. */
function introspecting(connection: Connection): Connection {
  const { accounts, catalogue, oauthApp, engineFile, rowsCopy, filesOf, openParts, digest } = connection;
  return {
    ...(accounts !== undefined && {
      accounts: (request, signal) => accounts.call(connection, request, signal),
    }),
    ...(catalogue !== undefined && {
      catalogue: (request, signal) => catalogue.call(connection, request, signal),
    }),
    ...(oauthApp !== undefined && { oauthApp }),
    ...(rowsCopy !== undefined && { rowsCopy: (request) => rowsCopy.call(connection, request) }),
    ...(engineFile !== undefined && { engineFile: (request) => engineFile.call(connection, request) }),
    ...(digest !== undefined && { digest: (request) => digest.call(connection, request) }),
    ...(filesOf !== undefined && { filesOf: (request) => filesOf.call(connection, request) }),
    ...(openParts !== undefined && { openParts: (request) => openParts.call(connection, request) }),
    test: (signal) => connection.test(signal),
    listResources: (signal) => connection.listResources(signal),
    describe: (resource, signal, options) => connection.describe(resource, signal, options),
    read: (request) =>
      INTROSPECTION_METHODS.includes(request.method)
        ? readMetadata(connection, request)
        : connection.read(request),
    page: (request) => connection.page(request),
    call: (method, args, signal) => connection.call(method, args, signal),
    openWriter: (request) => connection.openWriter(request),
    close: () => connection.close(),
  };
}

async function* readMetadata(connection: Connection, request: ReadRequest): AsyncGenerator<Batch> {
  const { method, args, signal, limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT } = request;
  const { columns, rows } = await metadataOf(connection, method, args, signal);
  const wanted = rows.slice(0, Math.min(limit, rows.length));
  for (let from = 0; from < wanted.length; from += batchRows) {
    yield { columns, rows: wanted.slice(from, from + batchRows) };
  }
}

async function metadataOf(
  connection: Connection,
  method: string,
  args: unknown,
  signal: AbortSignal,
): Promise<{ columns: readonly Column[]; rows: Row[] }> {
  const text = (name: string): Column => ({ name, type: 'string', nullable: false });
  if (method === 'resources') {
    parseInput(noArgs, args ?? {}, 'the arguments of "resources"');
    const found = await connection.listResources(signal);
    return { columns: [text('name'), text('type')], rows: found.map(({ name, type }) => ({ name, type })) };
  }
  const { resource } = parseInput(columnsArgs, args ?? {}, 'the arguments of "columns"');
  const found = await connection.describe(resource ?? (await onlyResource(connection, signal)), signal);
  return {
    columns: [text('name'), text('type'), { name: 'nullable', type: 'boolean', nullable: false }],
    rows: found.map(({ name, type, nullable }) => ({ name, type, nullable })),
  };
}

async function onlyResource(connection: Connection, signal: AbortSignal): Promise<string> {
  const [only, ...others] = await connection.listResources(signal);
  if (only !== undefined && others.length === 0) return only.name;
  throw new ConnectorError('CONFIG', 'Set "resource": the connector does not have exactly one');
}
