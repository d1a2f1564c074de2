import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Connection } from '../../../src/drivers/driver.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import type { CanonicalValue } from '../canonical-values.ts';
import { jsonForm, type Reads } from '../meaning.ts';

/** A target whose values have no declared types: each column is what its rows bring. */
export interface FreeTarget {
  readonly name: string;
  readonly type: string;
  readonly object: string;
  /** What an independent reader finds of one value; null for null, undefined for none. */
  shown(path: string): Promise<string | null | undefined>;
  /** As what it is read. */
  reads(value: CanonicalValue): Reads;
}

export async function connectFolder({ type }: FreeTarget, folder: string): Promise<Connection> {
  const driver = allDrivers.get(type);
  if (driver === undefined) throw new Error(`There is no driver "${type}"`);
  return driver.connect({ path: '.' }, { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 5_000 });
}

/** JSON has a value of its own kind; texts and what travels as text are strings. */
function jsonReads({ type, value }: CanonicalValue): Reads {
  if (type === 'binary') return 'as it travels';
  // Half a character has an escape.
  if (typeof value === 'string') return value.isWellFormed() ? 'text' : 'as it travels';
  return 'json';
}

const valueIn = (text: string): string | null | undefined => {
  const source = /"v"\s*:\s*(.*?)\s*\}[\s\]]*$/su.exec(text)?.[1];
  if (source === undefined || source === 'null') return source === undefined ? undefined : null;
  return source.startsWith('"')
    ? (JSON.parse(source) as string)
    : jsonForm(source) === null
      ? source
      : source;
};

const jsonTarget = (name: string, object: string): FreeTarget => ({
  name,
  type: 'json',
  object,
  reads: jsonReads,
  shown: async (path) => (existsSync(path) ? valueIn(readFileSync(path, 'utf8')) : undefined),
});

/** The second field of the second line, by the rules of RFC 4180. */
function csvField(text: string): string | null {
  const rest = text.slice(text.indexOf('\n') + 1).replace(/^[^,]*,/, '');
  if (!rest.startsWith('"')) return rest.replace(/\r?\n$/, '') === '' ? null : rest.replace(/\r?\n$/, '');
  return rest.slice(1, rest.lastIndexOf('"')).replaceAll('""', '"');
}

export const FREE_TARGETS: readonly FreeTarget[] = [
  jsonTarget('JSON', 'out.json'),
  jsonTarget('NDJSON', 'out.ndjson'),
  {
    name: 'CSV',
    type: 'csv',
    object: 'out.csv',
    reads: ({ type }) => (type === 'binary' ? 'as it travels' : 'text'),
    shown: async (path) => (existsSync(path) ? csvField(readFileSync(path, 'utf8')) : undefined),
  },
  {
    name: 'Parquet',
    type: 'parquet',
    object: 'out.parquet',
    reads: parquetReads,
    shown: async (path) => {
      if (!existsSync(path)) return undefined;
      const instance = await DuckDBInstance.create(':memory:');
      const connection = await instance.connect();
      try {
        await connection.run(`SET TimeZone = 'UTC'`);
        const file = `'${path.replaceAll("'", "''")}'`;
        const typed = await connection.runAndReadAll(`SELECT typeof(v) FROM ${file}`);
        const type = String(typed.getRows()[0]?.[0]);
        const text =
          type === 'BLOB'
            ? 'hex(v)'
            : /\[\]|STRUCT|MAP|JSON/.test(type)
              ? 'to_json(v)::VARCHAR'
              : 'v::VARCHAR';
        const found = await connection.runAndReadAll(`SELECT ${text} FROM ${file}`);
        const shown = found.getRows()[0]?.[0];
        return shown === null || shown === undefined
          ? null
          : type === 'VARCHAR'
            ? String(shown)
            : named(String(shown));
      } finally {
        connection.closeSync();
        instance.closeSync();
      }
    },
  },
];

const PARQUET_READS: Readonly<Partial<Record<string, Reads>>> = {
  integer: 'number',
  decimal: 'number',
  number: 'double',
  boolean: 'truth',
  date: 'day',
  time: 'time',
  timestamp: 'moment',
  binary: 'bytes',
  json: 'json',
};

/** DuckDB's names of what others name otherwise; the year 0 of ISO 8601 is 1 BC. */
function named(shown: string): string {
  const names: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' };
  return names[shown] ?? shown.replace(/^0001(-\d\d-\d\d) \(BC\)$/, '0000$1');
}

/** A time with an offset has no type there. */
function parquetReads({ type, value }: CanonicalValue): Reads {
  if (type === 'time' && /\d[+-]\d/.test(String(value))) return 'text';
  return PARQUET_READS[type] ?? 'text';
}

export const pathOf = (folder: string, { object }: FreeTarget): string => join(folder, object);
