import t from 'tap';
import { addCount, newCount, tapReader } from './tap-reader.ts';

function countTests(tap: string) {
  const total = newCount();
  const reader = tapReader(({ count }) => addCount(total, count));
  reader.end(tap);
  return total;
}

const run = `TAP version 14
# Subtest: a.test.ts
    # Subtest: two wrong assertions are one failed test
        not ok 1 - x
        not ok 2 - y
        1..2
    not ok 1 - two wrong assertions are one failed test
    # Subtest: right
        ok 1 - x
        ok 2 - y
        1..2
    ok 2 - right
    # Subtest: without assertions
        1..0
    ok 3 - without assertions
    ok 4 - left out # SKIP no server
    1..4
not ok 1 - a.test.ts # time=3ms
# Subtest: b.test.ts
    1..0 # no Chromium
ok 2 - b.test.ts # SKIP no Chromium
# Subtest: c.test.ts
    ok 1 - x
    ok 2 - y
    1..2
ok 3 - c.test.ts
1..3
`;

t.test('tests are counted, not assertions and not files', async (t) => {
  const { passed, failed, skipped, reasons } = countTests(run);
  t.match({ passed, failed, skipped }, { passed: 3, failed: 1, skipped: 2 });
  t.strictSame(Object.fromEntries(reasons), { 'no server': 1, 'no Chromium': 1 });
});

t.test('a file that fails outside its tests is a failure', async (t) => {
  const { passed, failed } = countTests(`TAP version 14
# Subtest: a.test.ts
    # Subtest: right
        ok 1 - x
        1..1
    ok 1 - right
    1..1
not ok 1 - a.test.ts
  ---
  exitCode: 1
  ...
1..1
`);
  t.match({ passed, failed }, { passed: 1, failed: 1 });
});

t.test('a run that broke off is not a success', async (t) => {
  t.equal(countTests('TAP version 14\nBail out! killed\n').passed, 0);
});
