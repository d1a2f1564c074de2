import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type SchemaTree,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ConnectorError } from '../driver.ts';
import { fileFault } from '../files/local/file-fault.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import { columnName, numberedSchema } from './numbered-schema.ts';
import { type ParquetColumn, parquetColumns } from './parquet-column.ts';

/** Most bytes of one column in one row group, uncompressed: they are in memory at once. */
export const columnChunkBytesMax = 512 * 1024 * 1024;
/** Largest footer, in bytes. */
export const footerBytesMax = 64 * 1024 * 1024;
/** The last four bytes of every file, read as a little-endian number. Encrypted footers end with `PARE`. */
const MAGIC = 0x31_52_41_50;

/** Values of one column, in the order of rows. */
export type ColumnValues = ArrayLike<unknown>;

export interface ParquetFile {
  readonly rows: number;
  readonly columns: readonly ParquetColumn[];
  /** Of the columns, as the file declares them. */
  readonly fields: readonly SchemaTree[];
  /** Where each row group begins, and how many rows it has. */
  readonly groups: readonly {
    readonly from: number;
    readonly rows: number;
    readonly hasPageIndex: boolean;
  }[];
  /** Whether the file's statistics say that every value of the column at this place, one of numbers, is within bounds, both included. */
  isWithin(index: number, least: number, most: number): boolean;
  /** Gives a function that decodes rows `from` to `to` of one column; both lie in one row group. */
  open(column: ParquetColumn): (from: number, to: number) => Promise<ColumnValues>;
}

function bufferOf(file: OpenedFile): AsyncBuffer {
  const { sizeBytes } = file;
  if (sizeBytes === null) {
    const message = `The file "${file.name}" is compressed as a whole; Parquet is read from its end, so decompress it`;
    throw new ConnectorError('CONFIG', message);
  }
  return {
    byteLength: sizeBytes,
    slice: async (start, end = sizeBytes) => {
      const length = Math.max(0, end - start);
      const bytes = new Uint8Array(new ArrayBuffer(length));
      const { bytesRead } = await file.handle.read(bytes, 0, length, start);
      if (bytesRead < length) throw new RangeError('the file ends early');
      return bytes.buffer;
    },
  };
}

function fault(file: OpenedFile, error: unknown): unknown {
  const known = fileFault(error, file.name, 'read');
  if (known !== error || error instanceof ConnectorError) return known;
  const why = error instanceof Error ? error.message.replace(/^parquet /, '') : 'it cannot be decoded';
  return new ConnectorError('DATA', `The file "${file.name}" is not a readable Parquet file: ${why}`, {
    cause: error,
  });
}

async function refuseLongFooter(buffer: AsyncBuffer): Promise<void> {
  const { byteLength } = buffer;
  if (byteLength < 12) throw new RangeError('it is too short');
  const end = new DataView(await buffer.slice(byteLength - 8));
  if (end.getUint32(4, true) !== MAGIC) throw new RangeError('it does not end with "PAR1"');
  if (end.getUint32(0, true) > Math.min(footerBytesMax, byteLength))
    throw new RangeError('its footer is too long');
}

function refuseLargeChunks(
  file: OpenedFile,
  metadata: FileMetaData,
  { name, field }: { readonly name: string; readonly field: string },
): void {
  for (const group of metadata.row_groups) {
    for (const { meta_data: chunk } of group.columns) {
      if (chunk === undefined || chunk.path_in_schema[0] !== field) continue;
      if (Number(chunk.total_uncompressed_size) > columnChunkBytesMax) {
        throw new ConnectorError(
          'DATA',
          `The column "${name}" of "${file.name}" has more than 512 MB in one row group; write it with smaller ones`,
        );
      }
    }
  }
}

function groupsOf(metadata: FileMetaData): ParquetFile['groups'] {
  let from = 0;
  return metadata.row_groups.map((group) => {
    const found = {
      from,
      rows: Number(group.num_rows),
      hasPageIndex: group.columns.every((column) => column.offset_index_offset !== undefined),
    };
    from += found.rows;
    return found;
  });
}

function isWithin({ row_groups: groups }: FileMetaData, field: string, least: number, most: number): boolean {
  return groups.every(({ columns }) => {
    const chunk = columns.find(({ meta_data: data }) => data?.path_in_schema[0] === field)?.meta_data;
    const { min_value: min, max_value: max, null_count: nulls } = chunk?.statistics ?? {};
    if (chunk !== undefined && nulls !== undefined && BigInt(nulls) === BigInt(chunk.num_values)) return true;
    return min !== undefined && max !== undefined && Number(min) >= least && Number(max) <= most;
  });
}

/** The schema with the element that a column is read under. */
function withElement(metadata: FileMetaData, { element }: ParquetColumn, field: string): FileMetaData {
  if (element === null) return metadata;
  const own = { ...element, name: field };
  return { ...metadata, schema: metadata.schema.map((old) => (old.name === field ? own : old)) };
}

/** Reads the footer. Throws `DATA` for a file that is no Parquet file; the caller closes it. */
export async function openParquetFile(file: OpenedFile): Promise<ParquetFile> {
  const buffer = bufferOf(file);
  try {
    await refuseLongFooter(buffer);
    const metadata = await parquetMetadataAsync(buffer, { geoparquet: false });
    const fields = parquetSchema(metadata).children;
    const columns = parquetColumns(fields);
    const numbered = numberedSchema(metadata, fields);
    return {
      rows: Number(metadata.num_rows),
      columns,
      fields,
      groups: groupsOf(metadata),
      isWithin: (index, least, most) => isWithin(metadata, columnName(index), least, most),
      open: (column) => {
        const field = columnName(columns.indexOf(column));
        refuseLargeChunks(file, numbered, { name: column.column.name, field });
        const own = withElement(numbered, column, field);
        const { parsers } = column;
        const scan = parquetScan({
          file: buffer,
          metadata: own,
          columns: [field],
          compressors,
          parsers,
          utf8: false,
        });
        scan.catch(() => undefined);
        return async (rowStart, rowEnd) => {
          try {
            return await (await scan).readColumn({ column: field, rowStart, rowEnd });
          } catch (error) {
            throw fault(file, error);
          }
        };
      },
    };
  } catch (error) {
    throw fault(file, error);
  }
}
