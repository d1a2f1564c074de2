// Long list: every value into every type, in every way of loading; quick: test/values/matrix.test.ts.
import t from 'tap';
import { sqliteTarget } from '../targets/sqlite-target.ts';
import { checkWhole } from './check-whole.ts';

checkWhole(t, sqliteTarget);
