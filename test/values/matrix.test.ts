import t from 'tap';
import { CANONICAL_VALUES } from './canonical-values.ts';
import { checkTarget } from './check-target.ts';
import { mariadbTarget } from './targets/mariadb-target.ts';
import { postgresTarget } from './targets/postgres-target.ts';
import { sqliteTarget } from './targets/sqlite-target.ts';

/** Types in which values of most kinds may lose something; all of them are in the long list. */
const SAMPLE = [
  'integer',
  'INTEGER',
  'int',
  'numeric(10,2)',
  'timestamp',
  'datetime',
  'varchar(5)',
  'bytea',
  'blob',
  'REAL',
];

for (const target of [postgresTarget, mariadbTarget, sqliteTarget])
  checkTarget(t, target, { values: CANONICAL_VALUES, columns: SAMPLE, ways: ['merge'] });
