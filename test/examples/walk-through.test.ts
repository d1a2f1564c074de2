// Long list: it walks through every example; quick: test/examples/examples.test.ts, test/docs/examples.test.ts.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import t, { type Test } from 'tap';
import { freePort } from '../support/free-port.ts';
import { createDatabase } from '../support/postgres.ts';
import { programEnvironment } from '../support/program-environment.ts';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/csv-to-postgres');
const RUN_MS_MAX = 60_000;

const firstSteps = readFileSync(join(root, 'docs/first-steps.md'), 'utf8');
const exampleText = readFileSync(join(example, 'README.md'), 'utf8');

/** The shell commands of a page, one text for each block. */
function shellBlocks(text: string): readonly string[] {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
}

const missing = ['bash', 'curl', 'jq'].find((tool) => spawnSync(tool, ['--version']).status !== 0);

/** A server in `folder` that may read the files of the reader and of the example; gives its setup token. */
async function startServer(t: Test, folder: string, port: number): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), 'serve'], {
    cwd: folder,
    env: {
      ...programEnvironment(),
      SVC_FILE_ROOTS: `${join(folder, 'first-steps')},${join(folder, 'csv-to-postgres')}`,
      SVC_HTTP_PORT: String(port),
      SVC_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise((done) => child.once('close', done));
  t.teardown(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  let said = '';
  return new Promise((done, fail) => {
    const onData = (chunk: unknown) => {
      said += String(chunk);
      const token = /^Setup token: (\S+)$/m.exec(said)?.[1];
      if (token !== undefined) done(token);
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    exited.then(() => fail(new Error(said)));
  });
}

/** Replaces what the reader fills in; a place that the page no longer has fails the test. */
function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [place, value]) => {
    if (!filled.includes(place)) throw new Error(`The page has no ${place}`);
    return filled.replaceAll(place, value);
  }, text);
}

/** The reader sees the run end; here it is waited for. */
const untilEnded =
  'until curl -fsS -H "Authorization: Bearer $KEY" $URL/api/job-runs/$RUN | jq -e .ended_at >&2; do sleep 0.2; done\n';

/** Every widget of the page behind a share link has its data. */
async function checkSharedPage(t: Test, link: string): Promise<void> {
  const page = await fetch(link);
  t.equal(page.status, 200, link);
  const path = `/api/public/dashboards/${link.split('/').at(-1)}/widgets/data`;
  const answer = await fetch(new URL(path, link), { method: 'POST' });
  const { widgets } = (await answer.json()) as { widgets: Record<string, { error?: string }> };
  t.ok(Object.keys(widgets).length >= 4);
  for (const [id, widget] of Object.entries(widgets)) t.equal(widget.error, undefined, id);
}

const options = missing === undefined ? {} : { skip: `${missing} is not installed` };
t.test('the first steps, and the example after them, work as they are written', options, async (t) => {
  const folder = t.testdir();
  cpSync(example, join(folder, 'csv-to-postgres'), { recursive: true });
  mkdirSync(join(folder, 'first-steps'));
  // The files that the reader saves.
  for (const [, name = '', text = ''] of firstSteps.matchAll(
    /as `([\w.-]+\.yaml)`:\n\n```yaml [a-z-]+\n([\s\S]*?)```/g,
  ))
    writeFileSync(join(folder, 'first-steps', name), text);
  const { url } = await createDatabase(t);
  const database = new URL(url);
  const port = await freePort();
  const password = decodeURIComponent(database.password);
  const places = {
    '"port": 5432, "database": "postgres", "user": "postgres", "password": "postgres"': `"port": ${database.port}, "database": "${database.pathname.slice(1)}", "user": "${database.username}", "password": "${password}"`,
  };
  const shell = (script: string) => {
    const run = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd: join(folder, 'first-steps'),
      env: { ...programEnvironment(), HEADGATE: root },
      encoding: 'utf8',
      timeout: RUN_MS_MAX,
    });
    t.equal(run.status, 0, run.stderr);
    return run.stdout;
  };

  const steps = shellBlocks(firstSteps);
  t.equal(steps.length, 16, 'every block of the first steps is known here');
  const [install = '', , file = '', check = '', run = '', letters = '', , signUp = '', signIn = ''] = steps;
  const [, , , , , , , , , functions = '', connectors = '', definitions = '', result = '', replay = ''] =
    steps;
  const [trigger = '', share = ''] = steps.slice(14);
  const program = /^headgate\(\).*$/m.exec(install)?.[0] ?? '';

  const local = shell(
    [
      program,
      file,
      check,
      fillIn(run, { 'postgres://postgres:postgres@127.0.0.1:5432/postgres': url }),
      letters,
    ].join('\n'),
  );
  const [table = ''] = /step +kind[\s\S]*?\n\n/.exec(local) ?? [];
  t.match(table, /^shape +transform +warning +7 +6 +1 /m);
  t.match(table, /^write +load +success +6 +6 /m);
  const shown = [...firstSteps.matchAll(/```text\n([\s\S]*?)```/g)].map(([, text = '']) => text.trim());
  t.ok(
    shown.includes(local.slice(local.lastIndexOf('{"step"')).trim()),
    'the dead letter is the one that is shown',
  );
  for (const line of shown[0]?.split('\n') ?? []) t.ok(local.includes(line), line);

  const token = await startServer(t, folder, port);
  // The code of the second factor is made of what the sign-up prints.
  const ready = fillIn(signUp, {
    'http://127.0.0.1:8080': `http://127.0.0.1:${port}`,
    'THE SETUP TOKEN': token,
  });
  const { secret } = JSON.parse(shell(ready)) as { secret: string };
  const code = generateSync({ secret });
  const prelude = ready.split('\n').filter((line) => /^(export|post\(\))/.test(line));

  const blocks = shellBlocks(exampleText);
  t.equal(blocks.length, 7, 'every block of the example is known here');
  const [, withKey = '', files = '', texts = '', job = '', ended = '', page = ''] = blocks;
  const said = shell(
    [
      ...prelude,
      fillIn(signIn, { 'THE CODE OF YOUR APP': code }),
      functions,
      fillIn(connectors, places),
      definitions,
      untilEnded + result,
      replay,
      trigger,
      share,
      'echo; echo EXAMPLE; cd ..',
      withKey.replace('cd examples/', 'cd '),
      fillIn(files, places),
      texts,
      job,
      untilEnded + ended,
      page,
    ].join('\n'),
  );
  const [first = '', second = ''] = said.split('\nEXAMPLE\n');
  t.match(first, /"status": "warning"/);
  t.match(first, /^1$/m, 'one letter is replayed');
  t.match(second, /"status": "success"/);
  for (const part of [first, second]) {
    t.match(part, /"20\d\d-.*Z"/, 'the trigger says when it fires');
    t.notMatch(part, password === '' ? /\0/ : `"${password}"`, 'no answer gives the password back');
    await checkSharedPage(t, part.trim().split('\n').at(-1) ?? '');
  }
});
