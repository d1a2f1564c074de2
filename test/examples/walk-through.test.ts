import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import t, { type Test } from 'tap';
import { createDatabase } from '../support/postgres.ts';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/csv-to-postgres');
const RUN_MS_MAX = 20_000;

/** The shell commands of the README, one text for each block. */
const blocks = [...readFileSync(join(example, 'README.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  (match) => match[1] ?? '',
);

const missing = ['bash', 'curl', 'jq'].find((tool) => spawnSync(tool, ['--version']).status !== 0);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A server in `folder` that may read the example's copy there; gives its setup token. */
async function startServer(t: Test, folder: string, port: number): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      SVC_FILE_ROOTS: join(folder, 'csv-to-postgres'),
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

/** Replaces what the reader fills in; a place that the README no longer has fails the test. */
function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [place, value]) => {
    if (!filled.includes(place)) throw new Error(`The README has no ${place}`);
    return filled.replaceAll(place, value);
  }, text);
}

const options = missing === undefined ? {} : { skip: `${missing} is not installed` };
t.test('the walk-through works as it is written', options, async (t) => {
  const folder = t.testdir();
  cpSync(example, join(folder, 'csv-to-postgres'), { recursive: true });
  const { url } = await createDatabase(t);
  const database = new URL(url);
  const port = await freePort();
  const token = await startServer(t, folder, port);
  t.equal(blocks.length, 7, 'every block of the README is known here');
  const [, signIn = '', withKey = '', connectors = '', definitions = '', job = '', share = ''] = blocks;

  const shell = (script: string) => {
    const run = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      timeout: RUN_MS_MAX,
    });
    t.equal(run.status, 0, run.stderr);
    return run.stdout;
  };

  // The code of the second factor is made of what the first half prints.
  const [setUp = '', enter = ''] = signIn.split(/\n(?=post \/api\/auth\/login)/);
  const ready = fillIn(setUp, {
    'http://127.0.0.1:8080': `http://127.0.0.1:${port}`,
    'THE SETUP TOKEN': token,
    'cd examples/': 'cd ',
  });
  const { secret } = JSON.parse(shell(ready)) as { secret: string };
  const code = generateSync({ secret });
  const prelude = ready.split('\n').filter((line) => /^(cd|export|post\(\))/.test(line));
  const password = decodeURIComponent(database.password);
  const rest = [
    ...prelude,
    fillIn(enter, { 'THE CODE OF YOUR APP': code }),
    withKey,
    fillIn(connectors, {
      '"port": 5432, "database": "postgres", "user": "postgres", "password": "postgres"': `"port": ${database.port}, "database": "${database.pathname.slice(1)}", "user": "${database.username}", "password": "${password}"`,
    }),
    definitions,
    // The reader sees the run end; here it is waited for.
    job.replace(
      /\ncurl /,
      '\nuntil curl -fsS -H "Authorization: Bearer $KEY" $URL/api/job-runs/$RUN | jq -e .ended_at >&2; do sleep 0.2; done\ncurl ',
    ),
    share,
  ];
  const said = shell(rest.join('\n'));
  t.match(said, /"status": "success"/);
  t.match(said, /"next_run_at"|"20\d\d-.*Z"/, 'the trigger says when it fires');
  t.notMatch(said, password === '' ? /\0/ : `"${password}"`, 'no answer gives the password back');
  const link = said.trim().split('\n').at(-1) ?? '';
  const page = await fetch(link);
  t.equal(page.status, 200, link);
  const path = `/api/public/dashboards/${link.split('/').at(-1)}/widgets/data`;
  const answer = await fetch(new URL(path, link), { method: 'POST' });
  const { widgets } = (await answer.json()) as { widgets: Record<string, { error?: string }> };
  for (const [id, widget] of Object.entries(widgets)) t.equal(widget.error, undefined, id);
});
