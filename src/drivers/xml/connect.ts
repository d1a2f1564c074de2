import { type ConnectContext, type Connection, ConnectorError } from '../driver.ts';
import { orCompressed } from '../files/compression.ts';
import { viewedRows } from '../files/filtered-rows.ts';
import { fileOf, testFiles, withFile } from '../files/open-file.ts';
import { pageRows } from '../files/page-rows.ts';
import { parseInput } from '../files/parse-input.ts';
import { readMethods } from '../files/query/read-methods.ts';
import type { FileStorage } from '../files/storage/file-storage.ts';
import { openStorage } from '../files/storage/open-storage.ts';
import { type XmlConfig, xmlConfig, xmlReadArgs } from './config.ts';
import { describeXml, readXml } from './read.ts';

function connection(config: XmlConfig, files: FileStorage, context: ConnectContext): Connection {
  return {
    ...readMethods({
      type: 'xml',
      files,
      context,
      args: xmlReadArgs,
      areColumnsFixed: false,
      reader:
        (_args, { signal, batchRows }) =>
        (file, view) =>
          viewedRows(view, {
            describe: () => describeXml(file, config, signal),
            rows: (columns, limit) => readXml({ file, config, signal, batchRows, columns, limit }),
            batchRows,
          }),
    }),
    test: (signal) => testFiles(files, signal, (file) => describeXml(file, config, signal)),
    listResources: async () => (await files.list()).map((name) => ({ name, type: 'file' })),
    describe: (resource, signal) => withFile(files, resource, (file) => describeXml(file, config, signal)),
    page: (request) =>
      withFile(files, fileOf(request), async (file) => {
        const columns = await describeXml(file, config, request.signal);
        // All columns are read, so that one which the sample has not shown appears in the page.
        const rows = (skip: number, _names: readonly string[], signal: AbortSignal) =>
          readXml({ file, config, columns: null, signal, skip });
        return pageRows({ version: file.version, columns, rows }, request);
      }),
    openWriter: async () => {
      throw new ConnectorError('CONFIG', 'XML files are read-only');
    },
    close: () => files.close(),
  };
}

export async function connectXml(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(xmlConfig, config, 'the configuration of an XML connector');
  return connection(
    parsed,
    await openStorage({ config: parsed, context, extensions: orCompressed(['.xml']) }),
    context,
  );
}
