import type { ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet';
import type { Column } from '../driver.ts';
import { distinctNames } from '../values/distinct-names.ts';
import { base64, leafValue } from './leaf-value.ts';
import { type Convert, nestedValue } from './nested-value.ts';
import { bare } from './numbered-schema.ts';
import { createDayText, createTimestampText } from './time-text.ts';

/**
 * How one column is decoded. hyparquet converts values while they are still in the dictionary of a column chunk, so a
 * value that repeats is converted once; but some of its conversions lose digits. So each column is read under an
 * annotation of our choice (`element`), whose one parser is ours.
 */
export interface ParquetColumn {
  readonly column: Column;
  /** In place of a leaf at the top of the numbered schema, but for its name; null keeps that. */
  readonly element: SchemaElement | null;
  readonly parsers: Partial<ParquetParsers>;
  /** For what no parser gets to see: lists, records and maps. */
  readonly finish: Convert | null;
}

/** The element under which every value of a leaf passes through one parser. */
function parsed(element: SchemaElement, convert: Convert): Pick<ParquetColumn, 'element' | 'parsers'> {
  const stored = bare(element);
  switch (element.type) {
    case 'INT32':
      return { element: { ...stored, converted_type: 'DATE' }, parsers: { dateFromDays: convert } };
    case 'INT64':
      return {
        element: { ...stored, converted_type: 'TIMESTAMP_MILLIS' },
        parsers: { timestampFromMilliseconds: convert },
      };
    case 'INT96':
      return { element: stored, parsers: { timestampFromNanoseconds: convert } };
    default:
      return { element: { ...stored, logical_type: { type: 'UUID' } }, parsers: { uuidFromBytes: convert } };
  }
}

/** Leaves inside a column share its parsers, which those of INT96 and of variants pass through whatever the schema says. */
function nestedParsers(): Partial<ParquetParsers> {
  return {
    dateFromDays: createDayText(),
    timestampFromMilliseconds: createTimestampText('MILLIS', 'Z'),
    timestampFromMicroseconds: createTimestampText('MICROS', 'Z'),
    timestampFromNanoseconds: createTimestampText('NANOS', 'Z'),
    geometryFromBytes: base64,
    geographyFromBytes: base64,
  };
}

/** The columns of top-level fields. Of two with one name, the second gets a number. Lists, maps and records are `json`. */
export function parquetColumns(fields: readonly SchemaTree[]): readonly ParquetColumn[] {
  const names = distinctNames(fields.map(({ element }) => element.name));
  return fields.map((field, at) => parquetColumn(field, names[at] ?? field.element.name));
}

function parquetColumn(field: SchemaTree, name: string): ParquetColumn {
  const { element } = field;
  const nullable = element.repetition_type !== 'REQUIRED';
  if (field.children.length > 0 || element.repetition_type === 'REPEATED') {
    const native = (element.converted_type ?? element.logical_type?.type ?? 'group').toLowerCase();
    const column: Column = { name, type: 'json', nullable, native_type: native };
    return { column, element: null, parsers: nestedParsers(), finish: nestedValue(field) };
  }
  const { type, native, convert, declared } = leafValue(element);
  const column: Column = {
    name,
    type,
    nullable,
    native_type: native,
    ...(declared && { declared: { engine: 'parquet', sql: native, ...declared } }),
  };
  const decoding =
    convert === null ? { element: null, parsers: {} } : parsed(element, convert as unknown as Convert);
  return { column, ...decoding, finish: null };
}
