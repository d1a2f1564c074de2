// Long list: it starts a server and an executor for one page of the cookbook; quick: test/modules/runs/run-parts.test.ts, test/engine/partition/local-parts.test.ts.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import t from 'tap';
import { startExecutor } from '../support/executor-process.ts';
import { freePort } from '../support/free-port.ts';
import { createDatabase } from '../support/postgres.ts';
import { MAIN } from '../support/program.ts';
import { programEnvironment } from '../support/program-environment.ts';
import { serve } from '../support/served.ts';
import { blocksOf, fileOf } from './cookbook-recipes.ts';
import { codeBlocks } from './markdown-files.ts';

t.setTimeout(180_000);

const TITLE = 'A large table on several executors';
const KEY = '3f9c5ab0d6c14e7788f1b2a4c9d0e6f75a1b3c2d';
const EXAMPLE_URL = 'postgres://postgres:postgres@127.0.0.1:5432/postgres';

/** The functions of the first steps. */
const helpers = codeBlocks('docs/first-steps.md').find(({ text }) => text.startsWith('api()'))?.text ?? '';

t.test(`${TITLE}: a reader who does what it says finds what it says`, async (t) => {
  const { url } = await createDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  const port = await freePort();
  const served = await serve(t, { SVC_EXECUTOR_KEY: KEY, SVC_GRPC_PORT: String(port) });
  const { folder } = served;
  let [rows, said]: [unknown[][], string] = [[], ''];
  for (const block of blocksOf(TITLE)) {
    const { info, text } = block;
    const file = fileOf(block);
    if (file !== null) writeFileSync(join(folder, file), text);
    else if (info === 'sql') ({ rows } = await client.query<unknown[]>({ text, rowMode: 'array' }));
    else if (info === 'text') t.equal(`${rows.map((row) => row.join(',')).join('\n')}\n`, text);
    else if (text.includes('headgate serve'))
      t.match(text, /SVC_EXECUTOR_KEY=.*\nSVC_GRPC_PORT=9090 headgate serve/);
    else if (text.includes('headgate executor')) {
      const args = /--name second --slots 2$/.exec(text.trimEnd())?.[0].split(' ') ?? [];
      await startExecutor(t, `127.0.0.1:${port}`, KEY, folder, args);
    } else {
      const headgate = `headgate() { "${process.execPath}" "${MAIN}" "$@"; }\n`;
      const done = spawnSync('bash', ['-e', '-c', headgate + helpers + text.replace(EXAMPLE_URL, url)], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...programEnvironment(), URL: served.url, SVC_SERVER: served.url, KEY: served.apiKey },
      });
      t.equal(done.status, 0, done.stdout + done.stderr);
      said = done.stdout;
    }
  }
  t.equal([...said.matchAll(/^\d+ +read .*\bstaged +(\w+)/gm)].length, 9, said);
});
