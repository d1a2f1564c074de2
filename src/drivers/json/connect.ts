import type { ConnectContext, Connection } from '../driver.ts';
import { orCompressed } from '../files/compression.ts';
import { viewedRows } from '../files/filtered-rows.ts';
import { fileOf, testFiles, withFile } from '../files/open-file.ts';
import { pageRows } from '../files/page-rows.ts';
import { parseInput } from '../files/parse-input.ts';
import { readMethods } from '../files/query/read-methods.ts';
import type { FileStorage } from '../files/storage/file-storage.ts';
import { openStorage } from '../files/storage/open-storage.ts';
import { type JsonConfig, jsonConfig, jsonOptions, jsonReadArgs } from './config.ts';
import { describeJson, readJson } from './read.ts';
import { openJsonWriter } from './write.ts';

function connection(config: JsonConfig, files: FileStorage, context: ConnectContext): Connection {
  const options = jsonOptions(config, {});
  return {
    ...readMethods({
      type: 'json',
      files,
      context,
      args: jsonReadArgs,
      areColumnsFixed: false,
      reader: (args, { signal, batchRows, batchBytes, onMalformed }) => {
        const given = { ...jsonOptions(config, args), columns: null };
        return (file, view) => {
          const read = { file, signal, batchRows, batchBytes, onMalformed };
          return viewedRows(view, {
            describe: () => describeJson(file, given, signal, onMalformed && (() => undefined)),
            rows: (columns, limit) => readJson({ ...read, options: { ...given, columns }, limit }),
            batchRows,
            batchBytes,
          });
        };
      },
    }),
    test: (signal) => testFiles(files, signal, (file) => describeJson(file, options, signal)),
    listResources: async () => (await files.list()).map((name) => ({ name, type: 'file' })),
    describe: (resource, signal) => withFile(files, resource, (file) => describeJson(file, options, signal)),
    page: (request) =>
      withFile(files, fileOf(request), async (file) => {
        const columns = await describeJson(file, options, request.signal);
        // All columns are read, so that a key which the sample has not shown appears in the page.
        const rows = (skip: number, _names: readonly string[], signal: AbortSignal) =>
          readJson({ file, options, signal, skip });
        return pageRows({ version: file.version, columns, rows }, request);
      }),
    openWriter: (request) => openJsonWriter(files, config, request),
    close: () => files.close(),
  };
}

export async function connectJson(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(jsonConfig, config, 'the configuration of a JSON connector');
  const files = await openStorage({
    config: parsed,
    context,
    extensions: orCompressed(['.json', '.ndjson', '.jsonl']),
  });
  return connection(parsed, files, context);
}
