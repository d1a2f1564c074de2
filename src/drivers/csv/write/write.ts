import { type Batch, ConnectorError, type WriteRequest, type Writer } from '../../driver.ts';
import { expandedName } from '../../files/compression.ts';
import { encodingOf } from '../../files/encoding/text-encoding.ts';
import { type FileContents, openFileWriter } from '../../files/file-writer.ts';
import { partBytesOf } from '../../files/set/set-config.ts';
import { SetPattern } from '../../files/set/set-pattern.ts';
import { openSetWriter } from '../../files/set/set-writer.ts';
import type { FileStorage, StagedFile } from '../../files/storage/file-storage.ts';
import type { CsvConfig } from '../config.ts';
import { type CsvOptions, openCsvTable } from '../csv-table.ts';
import { delimiterOf } from '../dialect.ts';
import { type CsvFormat, headerLine, rowLines } from './csv-format.ts';

interface Layout {
  readonly format: CsvFormat;
  /** Columns of the file; null until the first batch names them. */
  names: readonly string[] | null;
}

function newLayout(config: CsvConfig, file: string): Layout {
  const usual = expandedName(file).toLowerCase().endsWith('.tsv') ? '\t' : ',';
  const delimiter = config.delimiter === undefined ? usual : delimiterOf(config.delimiter);
  const encoding = encodingOf(config.encoding) ?? 'utf-8';
  return {
    format: { delimiter, encoding, decimal: config.decimal ?? '.', lineEnd: '\n', nulls: config.null_values },
    names: null,
  };
}

/** The layout of the file that is appended to: its own delimiter, columns, decimal mark and line ends. */
async function existingLayout(
  files: FileStorage,
  request: WriteRequest,
  options: CsvOptions,
  config: CsvConfig,
): Promise<Layout> {
  const file = await files.open(request.object);
  try {
    const table = await openCsvTable(file, { ...options, columns: null }, request.signal);
    const first = await table.chunks.next();
    await table.chunks.return();
    if (table.columns.length === 0) return newLayout(config, request.object);
    const text = first.done === true ? '' : first.value;
    const lineEnd = table.loneReturns ? '\r' : /\r\n/.test(text) ? '\r\n' : '\n';
    const { delimiter, encoding, decimal, columns } = table;
    return {
      format: { delimiter, encoding, decimal, lineEnd, nulls: [...options.nullValues] },
      names: columns.map((column) => column.name),
    };
  } finally {
    await file.handle.close();
  }
}

/** Ends a last line that has no line end, so that the first new row does not run on from it. */
async function endLastLine(staged: StagedFile, layout: Layout): Promise<void> {
  if (staged.handle === null) return;
  const { size } = await staged.handle.stat();
  const last = Buffer.alloc(1);
  await staged.handle.read(last, 0, 1, size - 1);
  if (last[0] !== 10 && last[0] !== 13) await staged.write(layout.format.lineEnd);
}

function refuseNewColumns(names: readonly string[], batch: Batch, file: string): void {
  const unknown = batch.columns.find((column) => !names.includes(column.name));
  if (unknown === undefined) return;
  throw new ConnectorError(
    'CONFIG',
    `The file "${file}" has no column "${unknown.name}", and columns cannot be added to a CSV file`,
  );
}

/** The lines of a file: the first rows name its columns, unless it has some already. */
function linesOf(layout: Layout, hasHeader: boolean, file: string): FileContents {
  return {
    prepare: (batch) => {
      if (layout.names !== null) refuseNewColumns(layout.names, batch, file);
      const names = layout.names ?? batch.columns.map((column) => column.name);
      const lines = rowLines(batch, names, { format: layout.format, object: file });
      return () => {
        const isNew = layout.names === null && hasHeader;
        layout.names = names;
        return isNew ? Buffer.concat([headerLine(names, layout.format), lines]) : lines;
      };
    },
    end: () => '',
  };
}

/**
 * Opens a load into a CSV file, or the files of a pattern. `append` keeps the file's own delimiter and columns; `replace` takes the columns of the
 * first batch. Lists and records are written as JSON text. Throws `CONFIG` and `TARGET`.
 */
export async function openCsvWriter(
  files: FileStorage,
  config: CsvConfig,
  options: CsvOptions,
  request: WriteRequest,
): Promise<Writer> {
  const pattern = SetPattern.of(request.object);
  if (pattern !== null)
    return openSetWriter(files, pattern, request, {
      title: 'CSV',
      partBytes: partBytesOf(config),
      contentsOf: (name) => linesOf(newLayout(config, name), config.header, name),
    });
  let layout = newLayout(config, request.object);
  let lines = linesOf(layout, config.header, request.object);
  return openFileWriter(files, request, {
    title: 'CSV',
    begin: async (staged) => {
      if (!staged.continues) return;
      layout = await existingLayout(files, request, options, config);
      lines = linesOf(layout, config.header, request.object);
      if (layout.names !== null) await endLastLine(staged, layout);
    },
    prepare: (batch) => lines.prepare(batch),
    end: () => lines.end(),
  });
}
