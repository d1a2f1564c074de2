import { randomHex } from '../../base/ids.ts';
import {
  AbsentResourceError,
  BATCH_ROWS_DEFAULT,
  type Batch,
  type Conditions,
  type ConnectContext,
  type Connection,
  ConnectorError,
  type ReadRequest,
  type Row,
} from '../driver.ts';
import { createFileAccess, type FileAccess } from '../files/local/file-access.ts';
import { noMethod } from '../files/open-file.ts';
import { pageRows } from '../files/page-rows.ts';
import { parseInput } from '../files/parse-input.ts';
import { rowFilter } from '../files/row-filter.ts';
import {
  type DummyConfig,
  dummyAggregateArgs,
  dummyConfig,
  dummyEchoArgs,
  dummyFindArgs,
  dummyGetArgs,
  dummyListArgs,
  dummyRecordArgs,
  scriptedResource,
} from './config.ts';
import { aggregateDocuments, findDocuments } from './documents.ts';
import { integrationOf } from './integration.ts';
import { obeyScript, scriptedBatches, scriptedColumns, scriptedCount } from './script.ts';
import { openDummyWriter, recordLines, recordLoad, refuseRows } from './write.ts';

type Record = { readonly files: FileAccess; readonly file: string } | null;

const everything = Number.POSITIVE_INFINITY;

function refuseUnknown(resource: string): void {
  if (resource !== scriptedResource)
    throw new AbsentResourceError(`There is no resource "${resource}"; use "${scriptedResource}"`);
}

/** The conditions of `where` as a predicate. A script without rows has no columns, so that any condition fits. */
function matching(config: DummyConfig, where: Conditions): ((row: Row) => boolean) | null {
  const columns = scriptedColumns(config);
  return columns.length === 0 ? null : rowFilter({ filters: [where] }, columns);
}

async function findRow(config: DummyConfig, args: unknown, signal: AbortSignal): Promise<Row | null> {
  const { field, value, where = {} } = parseInput(dummyGetArgs, args, 'the arguments of "get"');
  const holds = matching(config, where);
  const matches = (row: Row) => row[field] === value && (holds === null || holds(row));
  for await (const batch of scriptedBatches({ config, matches, limit: 1, batchRows: 1, skip: 0, signal })) {
    return batch.rows[0] ?? null;
  }
  return null;
}

function readRows(config: DummyConfig, request: ReadRequest): AsyncIterable<Batch> {
  const { method, args, signal, limit = everything, batchRows = BATCH_ROWS_DEFAULT } = request;
  const read = { config, limit, batchRows, signal, onMalformed: request.onMalformed };
  switch (method) {
    case 'list': {
      const { where = {} } = parseInput(dummyListArgs, args ?? {}, 'the arguments of "list"');
      return scriptedBatches({ ...read, matches: matching(config, where), skip: 0 });
    }
    case 'find':
      return findDocuments(parseInput(dummyFindArgs, args ?? {}, 'the arguments of "find"'), read);
    case 'aggregate':
      return aggregateDocuments(
        parseInput(dummyAggregateArgs, args, 'the arguments of "aggregate"').pipeline,
        read,
      );
    default:
      throw noMethod('dummy', method);
  }
}

async function recordRows(
  config: DummyConfig,
  record: Record,
  args: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { rows } = parseInput(dummyRecordArgs, args, 'the arguments of "record"');
  await obeyScript(config, rows.length - 1, signal);
  refuseRows(config, rows);
  if (record !== null) await recordAll(record, scriptedResource, 'record', rows);
  return { rows: rows.length };
}

async function recordAll(
  { files, file }: NonNullable<Record>,
  object: string,
  mode: string,
  rows: readonly Row[],
): Promise<void> {
  const staged = await recordLoad(files, file, `record-${randomHex(16)}`);
  try {
    await staged.write(recordLines(object, mode, rows));
    await staged.commit(rows.length);
  } finally {
    await staged.abort();
  }
}

function connection(config: DummyConfig, record: Record): Connection {
  const call: Connection['call'] = async (method, args, signal) => {
    switch (method) {
      case 'get':
        return findRow(config, args, signal);
      case 'echo': {
        const { value } = parseInput(dummyEchoArgs, args, 'the arguments of "echo"');
        await obeyScript(config, 0, signal);
        return value;
      }
      case 'record':
        return recordRows(config, record, args, signal);
      default:
        throw noMethod('dummy', method);
    }
  };
  const { accounts, catalogue, oauth_app } = config;
  const obey = (signal: AbortSignal) => obeyScript(config, 0, signal);
  return {
    ...integrationOf({ accounts, catalogue, oauth_app }, obey, async (object, row) => {
      if (record !== null) await recordAll(record, object, 'put', [row]);
    }),
    test: async (signal) => {
      await obeyScript(
        { ...config, fault: config.fail_after === undefined ? config.fault : undefined },
        0,
        signal,
      );
      return `${scriptedCount(config)} scripted rows`;
    },
    listResources: async (signal) => {
      signal.throwIfAborted();
      return [{ name: scriptedResource, type: 'table' }];
    },
    describe: async (resource) => {
      refuseUnknown(resource);
      return scriptedColumns(config);
    },
    read: (request) => readRows(config, request),
    page: async (request) => {
      refuseUnknown(request.resource);
      return pageRows(
        {
          version: 'scripted',
          columns: scriptedColumns(config),
          rows: (skip, _columns, signal) =>
            scriptedBatches({
              config,
              matches: null,
              limit: everything,
              batchRows: BATCH_ROWS_DEFAULT,
              skip,
              signal,
            }),
        },
        request,
      );
    },
    call,
    openWriter: (request) => openDummyWriter(config, record, request),
    close: async () => undefined,
  };
}

export async function connectDummy(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(dummyConfig, config, 'the configuration of a dummy connector');
  if (parsed.record_to === undefined) return connection(parsed, null);
  const files = await createFileAccess({ path: parsed.record_to, context, extensions: [] });
  const [file] = await files.list();
  if (files.isFolder || file === undefined) {
    throw new ConnectorError(
      'CONFIG',
      'The "record_to" of a dummy connector is a folder; give the path of a file',
    );
  }
  return connection(parsed, { files, file });
}
