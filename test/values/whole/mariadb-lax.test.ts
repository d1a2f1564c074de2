// Long list: a server that is not strict and has another time zone gives the verdicts of one that is, and in UTC; quick: test/values/matrix.test.ts.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { checkTarget } from '../check-target.ts';
import { laxMariadbTarget } from '../targets/mariadb-target.ts';
import { sectionOf, targetSection } from '../values-page.ts';
import { VALUES_PAGE, WHOLE } from './check-whole.ts';

t.setTimeout(600_000);
checkTarget(t, laxMariadbTarget, {
  ...WHOLE,
  ways: ['merge'],
  onTried: (t, tried) =>
    t.equal(
      targetSection(laxMariadbTarget.name, tried),
      sectionOf(readFileSync(VALUES_PAGE, 'utf8'), laxMariadbTarget.name),
    ),
});
