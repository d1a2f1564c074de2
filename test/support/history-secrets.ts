import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { sql } from 'kysely';
import type { Store } from '../../src/store/store.ts';
import { refuse } from './history-records.ts';

const CHUNK_BYTES = 4 * 1_048_576;

/** How a secret may look where it does not belong; made by hand here, and not by the code that redacts. */
export function formsOf(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret);
  const forms = new Map([
    ['plain', secret],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['URL', encodeURIComponent(secret)],
    ['form', new URLSearchParams({ s: secret }).toString().slice(2)],
    ['hex', bytes.toString('hex')],
  ]);
  // What stands before it moves its Base64 by one or two bytes; the characters that do not depend on the neighbours remain.
  for (const shift of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(shift, 'x'), bytes]).toString('base64');
    const sure = whole.slice(Math.ceil((shift * 4) / 3) + 1, -4);
    forms.set(`Base64 +${shift}`, sure);
    forms.set(`Base64url +${shift}`, sure.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** The forms in which a text holds the secret; the text may be bytes that were read as Latin-1. */
export function findSecret(text: string, secret: string): string[] {
  return [...formsOf(secret)].flatMap(([name, form]) =>
    text.includes(form) || text.includes(Buffer.from(form).toString('latin1')) ? [name] : [],
  );
}

export interface SecretPlaces {
  readonly store: Store;
  /** Files that may hold it too: of metrics, of spools. Those of the store are searched as they are. */
  readonly files?: readonly string[];
  /** Answers of the API, by what was asked. */
  readonly answers?: ReadonlyMap<string, string>;
}

/** I7: the planted secret is in no table, in no file of the store, in no answer, in whatever form. */
export async function checkSecret(secret: string, places: SecretPlaces): Promise<void> {
  const problems: string[] = [];
  const look = (place: string, text: string) => {
    for (const form of findSecret(text, secret)) problems.push(`${place}: ${form}`);
  };
  for (const table of await tablesOf(places.store)) {
    const db = table.startsWith('run_log') ? places.store.logs : places.store.read;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    for (const [column, text] of textsOf(rows)) look(`table ${table}, column ${column}`, text);
  }
  for (const file of [...places.store.files, ...(places.files ?? [])])
    for (const text of partsOf(file)) look(`file ${file.replace(/^.*\//, '')}`, text);
  for (const [asked, answer] of places.answers ?? []) look(`answer of ${asked}`, answer);
  refuse('The planted secret was found', [...new Set(problems)]);
}

async function tablesOf({ dialect, read, logs }: Store): Promise<string[]> {
  const query =
    dialect.name === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const found = [await query.execute(read), await query.execute(logs)];
  return [...new Set(found.flatMap(({ rows }) => rows.map(({ name }) => name)))];
}

/** All text of a column, one row beside the other, so that a form is sought once in each column. */
function textsOf(rows: readonly Record<string, unknown>[]): Map<string, string> {
  const parts = new Map<string, string[]>();
  for (const row of rows) {
    for (const [column, value] of Object.entries(row)) {
      if (typeof value !== 'string' && !(value instanceof Uint8Array)) continue;
      const text = typeof value === 'string' ? value : Buffer.from(value).toString('latin1');
      const known = parts.get(column);
      if (known === undefined) parts.set(column, [text]);
      else known.push(text);
    }
  }
  return new Map([...parts].map(([column, texts]) => [column, texts.join('\n')]));
}

/** The file's bytes, piece by piece, each with the end of the one before. */
function* partsOf(path: string): Generator<string> {
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    let before = '';
    for (;;) {
      const bytes = readSync(file, buffer);
      if (bytes === 0) return;
      const text = before + buffer.toString('latin1', 0, bytes);
      yield text;
      before = text.slice(-512);
    }
  } finally {
    closeSync(file);
  }
}
