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

const INTEGER_BITS: Readonly<Record<string, number>> = { INT_8: 8, INT_16: 16 };

/** The file as another engine may read it; null where that cannot be said, and where it has no rows. */
export async function parquetTable(file: OpenedFile): Promise<ParquetTable | null> {
  const { name, path, version } = file;
  if (path === null) return null;
  const { columns, fields, rows, isWithin } = await openParquetFile(file);
  const found = columns.map(({ column }, at) => {
    const field = fields[at];
    const sqlType = field === undefined ? null : sqlTypeOf(field);
    const bounds = field === undefined ? null : narrowBounds(field.element);
    const isWhole = bounds === null || isWithin(at, ...bounds);
    return { name: column.name, type: column.type, sqlType: isWhole ? sqlType : null };
  });
  const isWhole = found.every(({ type, sqlType }) => sqlType !== null || !MAY_BE_REFUSED.has(type));
  const isRenamed = columns.some(({ column }, at) => column.name !== fields[at]?.element.name);
  if (rows === 0 || isRenamed || !isWhole || found.every(({ sqlType }) => sqlType === null)) return null;
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

/**
 * Of a column whose values the engine keeps in fewer bytes than the file has for them: the least and the most that it may hold, since
 * the engine takes other values for different ones, without a word.
 */
function narrowBounds(element: SchemaElement): readonly [least: number, most: number] | null {
  const { type, converted_type: converted, precision = 0, scale = 0 } = element;
  const bits = INTEGER_BITS[converted ?? ''];
  if (bits !== undefined) return [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
  const isNarrow = precision <= (type === 'INT32' ? 4 : 9);
  if (converted !== 'DECIMAL' || !(type === 'INT32' || type === 'INT64') || !isNarrow) return null;
  const most = (10 ** precision - 1) / 10 ** scale;
  return [-most, most];
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
