import { DatabaseSync } from 'node:sqlite';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import type { Reads } from '../meaning.ts';
import type { NewReads } from '../new-tables.ts';
import type { TypedTarget } from '../target.ts';

const TYPES: readonly (readonly [declared: string, reads: Reads])[] = [
  ['INTEGER', 'any'],
  ['REAL', 'any'],
  ['NUMERIC', 'any'],
  ['DECIMAL(10,2)', 'any'],
  ['TEXT', 'any'],
  ['VARCHAR(5)', 'any'],
  ['DATE', 'any'],
  ['DATETIME', 'any'],
  ['BOOLEAN', 'any or truth'],
  ['BLOB', 'any'],
  ['DECIMAL_BLOB', 'any'],
  ['STRING', 'any'],
  ['UUID', 'any'],
  ['', 'any'],
];
const STRICT_TYPES: readonly (readonly [declared: string, reads: Reads])[] = [
  ['INTEGER', 'number'],
  ['REAL', 'double'],
  ['TEXT', 'text'],
  ['BLOB', 'bytes'],
  ['ANY', 'any'],
];

/** Every column keeps each value with its type; JSON is text. */
const NEW_READS: NewReads = {
  string: 'any',
  integer: 'any',
  number: 'any',
  decimal: 'any',
  boolean: 'any or truth',
  date: 'any',
  time: 'any',
  timestamp: 'any',
  json: 'json',
  binary: 'any',
  unknown: 'any',
};

export const sqliteTarget: TypedTarget = {
  name: 'SQLite',
  skip: false,
  columns: [
    ...TYPES.map(([declared, reads]) => ({ name: declared || 'no type', declared, reads })),
    ...STRICT_TYPES.map(([declared, reads]) => ({
      name: `${declared} of STRICT`,
      declared: `${declared} STRICT`,
      reads,
    })),
  ],
  newReads: NEW_READS,
  open: async (t) => {
    const folder = t.testdir();
    const path = `${folder}/t.db`;
    const connection = await sqliteDriver.connect(
      { path },
      { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 5_000 },
    );
    t.teardown(() => connection.close());
    const within = <T>(work: (db: DatabaseSync) => T): T => {
      const db = new DatabaseSync(path);
      try {
        return work(db);
      } finally {
        db.close();
      }
    };
    return {
      connection,
      create: async (table, { declared }) => {
        const type = declared.replace(' STRICT', '');
        const strict = type === declared ? '' : ' STRICT';
        within((db) => {
          db.exec(`DROP TABLE IF EXISTS ${table}`);
          db.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, v ${type})${strict}`);
        });
      },
      drop: async (table) => within((db) => db.exec(`DROP TABLE IF EXISTS ${table}`)),
      // Doubles with all their digits.
      shown: async (table, { reads }) =>
        within((db) => {
          const text = `CASE typeof(v) WHEN 'real' THEN replace(printf('%!.17g', v), 'Inf', 'Infinity') WHEN 'blob' THEN hex(v) ELSE CAST(v AS TEXT) END`;
          const shown = reads.startsWith('any') ? `typeof(v) || ':' || ${text}` : text;
          const rows = db.prepare(`SELECT id, ${shown} AS shown FROM ${table}`).all();
          return new Map(rows.map(({ id, shown }) => [Number(id), shown === null ? null : String(shown)]));
        }),
    };
  },
};
