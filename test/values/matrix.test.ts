import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { CANONICAL_VALUES } from './canonical-values.ts';
import { checkTarget } from './check-target.ts';
import { mariadbTarget } from './targets/mariadb-target.ts';
import { mongodbTarget } from './targets/mongodb-target.ts';
import { postgresTarget } from './targets/postgres-target.ts';
import { sqliteTarget } from './targets/sqlite-target.ts';
import { VALUES_HEAD, withSection } from './values-page.ts';
import { OUT_OF_DATE, VALUES_PAGE, writesPage } from './whole/check-whole.ts';

t.test('docs/reference/values.md states the rules and what each kind of values is', async (t) => {
  if (writesPage)
    writeFileSync(VALUES_PAGE, withSection(readFileSync(VALUES_PAGE, 'utf8'), null, VALUES_HEAD));
  t.ok(readFileSync(VALUES_PAGE, 'utf8').startsWith(VALUES_HEAD), OUT_OF_DATE);
});

/** Types in which values of most kinds may lose something; all of them are in the long list. */
const SAMPLE = [
  'integer',
  'timestamp',
  'bytea',
  'decimal(10,2)',
  'blob',
  'INTEGER',
  'REAL of STRICT',
  'a field',
];
const SHARE = 3;
const from = Math.floor(Math.random() * SHARE);
/** Each run draws some. */
const drawn = CANONICAL_VALUES.filter(
  ({ value }, index) =>
    index % SHARE === from || value === 1 || value === 'AAECAw==' || value === '2024-02-29',
);

for (const target of [postgresTarget, mariadbTarget, sqliteTarget, mongodbTarget])
  checkTarget(t, target, { values: drawn, columns: SAMPLE, ways: ['merge'] });
