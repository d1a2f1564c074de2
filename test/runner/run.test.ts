import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { isOfLongList } from './test-files.ts';

const root = join(import.meta.dirname, '../..');
const RUN = join(root, 'test/run.ts');

interface TestRun {
  readonly code: unknown;
  readonly out: string;
  readonly errors: string;
}

/** What `npm test` prints for these of the fixtures, and its exit code. */
function runTests(...names: string[]): Promise<TestRun> {
  const files = names.map((name) =>
    name.startsWith('--') ? name : join(import.meta.dirname, 'fixtures', `${name}.ts`),
  );
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...files], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, out: stdout, errors: stderr }),
    );
  });
}

t.test('files of one process are told apart, and counted by their tests', async (t) => {
  const { code, out } = await runTests('first', 'wrong', 'skips');
  t.equal(code, 1);
  t.match(out, /^ok {5}test\/runner\/fixtures\/first\.ts/m);
  t.match(out, /^FAILED test\/runner\/fixtures\/wrong\.ts/m);
  t.match(out, /a wrong test > should be equal/);
  t.match(out, /^ok {5}test\/runner\/fixtures\/skips\.ts .*: skipped, nothing to test$/m);
  t.match(out, /Skipped: .*no reason \(1\)/);
  t.match(out, /^3 passed, 1 failed, 2 skipped\n$/m);
});

t.test(
  '--help prints the options, an option that does not exist is refused, and neither runs a test',
  async (t) => {
    t.match(await runTests('--help'), {
      code: 0,
      out: /^Usage: npm test .*\n[\s\S]*--faults[\s\S]*--all[\s\S]*--retry/,
    });
    t.match(await runTests('--fault'), { code: 1, out: /^$/, errors: /^Unknown option '--fault'/ });
  },
);

t.test('a file that does not exist is named, and nothing runs', async (t) => {
  t.match(await runTests('first', 'nowhere'), {
    code: 1,
    out: /^$/,
    errors: /^No test file in ".*fixtures\/nowhere\.ts"\n$/,
  });
});

t.test('a run without a failure ends with 0', async (t) => {
  t.match(await runTests('first'), { code: 0, out: /^2 passed, 0 failed, 1 skipped\n$/m });
});

t.test('a file of the long list runs where it is named, and is counted where it is not', async (t) => {
  const { code, out } = await runTests('{first,of-long-list}');
  t.equal(code, 0);
  t.match(out, /^Left to npm run test:faults: 1 files and 0 other tests of the long list$/m);
  t.match(out, /^2 passed, 0 failed, 1 skipped\n$/m);
  t.match(await runTests('of-long-list'), { code: 0, out: /^1 passed, 0 failed, 0 skipped\n$/m });
  for (const option of ['--faults', '--all'])
    t.match(await runTests(option, '{first,of-long-list}'), {
      code: 0,
      out: /^3 passed, 0 failed, 1 skipped\n$/m,
    });
});

t.test('every file of the long list names quick files that take the same path', async (t) => {
  const paths = globSync('test/**/*.test.ts', { cwd: root }).filter(isOfLongList);
  t.ok(paths.length > 0);
  for (const path of paths) {
    const [line = ''] = readFileSync(join(root, path), 'utf8').split('\n');
    const quick = /^\/\/ Long list: .+; quick: (test\/.+\.test\.ts)\.$/.exec(line)?.[1]?.split(', ') ?? [];
    t.not(quick.length, 0, `${path} says which quick files cover it`);
    for (const named of quick)
      t.ok(existsSync(join(root, named)) && !isOfLongList(named), `${path} names ${named}: a quick file`);
  }
});

t.test('a file that leaves a server open fails', async (t) => {
  const { code, out } = await runTests('leaves-server', 'first');
  t.equal(code, 1);
  t.match(out, /FAILED .*leaves-server\.ts leaves behind: 1 TCPServerWrap/);
  t.match(out, /^3 passed, 1 failed, 1 skipped\n$/m);
});

t.test('a file that ends its process, or never ends, fails, and the others run', async (t) => {
  const { code, out } = await runTests('exits', 'never-ends', 'wrong', 'first');
  t.equal(code, 1);
  t.match(out, /^FAILED .*exits\.ts: its process ended/m);
  t.match(out, /^FAILED .*never-ends\.ts/m);
  t.match(out, /^4 passed, 3 failed, 1 skipped\n$/m);
});

t.test('an error that nobody catches fails its test, and the next ones run', async (t) => {
  const { code, out } = await runTests('throws-later', 'first');
  t.equal(code, 1);
  t.match(out, /an error that nobody catches > thrown later/);
  t.match(out, /a rejection that nobody handles > rejected alone/);
  t.match(out, /^3 passed, 2 failed, 1 skipped\n$/m);
});

t.test('a file that fails beside others runs again alone, and both times are told', async (t) => {
  const flag = join(t.testdir(), 'tried');
  process.env['HEADGATE_FIXTURE_FLAG'] = flag;
  t.teardown(() => delete process.env['HEADGATE_FIXTURE_FLAG']);
  const { code, out } = await runTests('--retry', 'fails-once', 'wrong', 'exits', 'first');
  t.equal(code, 1);
  t.match(
    out,
    /^FAILED .*fails-once\.ts[\s\S]*the first time[\s\S]*^Again, alone: .*fails-once\.ts\nok .*fails-once/m,
  );
  t.match(out, /^Passed only when run again, alone: test\/runner\/fixtures\/fails-once\.ts$/m);
  t.equal(out.match(/^FAILED .*wrong\.ts/gm)?.length, 2, 'what is wrong stays wrong');
  t.match(out, /^5 passed, 2 failed, 1 skipped\n$/m);
});
