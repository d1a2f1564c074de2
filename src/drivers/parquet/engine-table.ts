import type { SchemaElement, SchemaTree } from 'hyparquet';
import type { ColumnType } from '../driver.ts';
import type { ParquetTable } from '../engine-file.ts';
import { versionAt } from '../files/local/file-version.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import { openParquetFile } from './parquet-file.ts';

/** Types of which a query over rows refuses some values whether it reads them or not. */
const MAY_BE_REFUSED: ReadonlySet<ColumnType> = new Set(['decimal', 'date', 'time', 'timestamp']);
/** Decimals of rows are at least as wide. */
const DECIMAL_DIGITS_MAX = 18;

/** The file as another engine may read it; null where that cannot be said, and where it has no rows. */
export async function parquetTable(file: OpenedFile): Promise<ParquetTable | null> {
  const { name, path, version } = file;
  if (path === null) return null;
  const { columns, fields, rows } = await openParquetFile(file);
  const found = columns.map(({ column }, at) => {
    const field = fields[at];
    return { name: column.name, type: column.type, sqlType: field === undefined ? null : sqlTypeOf(field) };
  });
  const isWhole = found.every(({ type, sqlType }) => sqlType !== null || !MAY_BE_REFUSED.has(type));
  if (rows === 0 || !isWhole || found.every(({ sqlType }) => sqlType === null)) return null;
  return {
    format: 'parquet',
    name,
    path,
    columns: found,
    isUnchanged: async () => (await versionAt(path)) === version,
  };
}

/** The engine's type for a field whose values it reads exactly as `parquetColumn` has them read; null for any other field. */
function sqlTypeOf({ element, children }: SchemaTree): string | null {
  if (children.length > 0 || element.repetition_type === 'REPEATED') return null;
  const { logical_type: logical, converted_type: converted } = element;
  const annotation = logical?.type ?? converted;
  switch (element.type) {
    case 'BOOLEAN':
      return 'BOOLEAN';
    case 'FLOAT':
    case 'DOUBLE':
      return annotation === undefined ? 'DOUBLE' : null;
    case 'INT32':
    case 'INT64':
      return countType(element);
    case 'BYTE_ARRAY':
    case 'FIXED_LEN_BYTE_ARRAY':
      if (annotation === undefined) return 'BLOB';
      if (annotation === 'UTF8' || annotation === 'STRING' || annotation === 'ENUM') return 'VARCHAR';
      return annotation === 'DECIMAL' ? decimalType(element) : null;
    default:
      return null;
  }
}

function countType(element: SchemaElement): string | null {
  const { logical_type: logical, converted_type: converted } = element;
  switch (logical?.type ?? converted) {
    case undefined:
    case 'INT_8':
    case 'INT_16':
    case 'INT_32':
    case 'INT_64':
      return 'BIGINT';
    case 'INTEGER':
      return logical?.type === 'INTEGER' && logical.isSigned ? 'BIGINT' : null;
    case 'DATE':
      return 'DATE';
    case 'DECIMAL':
      return decimalType(element);
    case 'TIMESTAMP':
      return logical?.type === 'TIMESTAMP' && logical.unit !== 'NANOS' ? 'TIMESTAMP WITH TIME ZONE' : null;
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return 'TIMESTAMP WITH TIME ZONE';
    default:
      return null;
  }
}

function decimalType({ logical_type: logical, precision = 0, scale = 0 }: SchemaElement): string | null {
  const [digits, point] =
    logical?.type === 'DECIMAL' ? [logical.precision, logical.scale] : [precision, scale];
  return digits <= DECIMAL_DIGITS_MAX && point >= 0 ? `DECIMAL(${DECIMAL_DIGITS_MAX}, ${point})` : null;
}
