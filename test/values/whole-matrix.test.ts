// Long list: every value into every type of every target, in every way; quick: test/values/matrix.test.ts.
import t from 'tap';
import { CANONICAL_VALUES } from './canonical-values.ts';
import { checkTarget } from './check-target.ts';
import { mariadbTarget } from './targets/mariadb-target.ts';
import { postgresTarget } from './targets/postgres-target.ts';
import { sqliteTarget } from './targets/sqlite-target.ts';
import { WAYS } from './try-cells.ts';

const TARGETS = [postgresTarget, mariadbTarget, sqliteTarget];

for (const target of TARGETS) checkTarget(t, target, { values: CANONICAL_VALUES, columns: null, ways: WAYS });
