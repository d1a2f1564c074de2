import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { openScene, type Scene, taskOf } from './scene.ts';

const main = join(import.meta.dirname, '../../../../src/main.ts');
const rows = 200_000;
const sql = `SELECT n AS id, repeat('x', 500) AS s FROM generate_series(1, ${rows}) n`;

/** Starts the task as a user does, in a process group of its own. */
function start(folder: string, keys: string, { urls }: Scene) {
  writeFileSync(join(folder, 'copy.yaml'), taskOf(sql, keys));
  const connectors = Object.entries(urls).flatMap(([name, url]) => ['--connector', `${name}=${url}`]);
  return spawn(process.execPath, [main, 'run', 'copy.yaml', ...connectors], {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 1_200; look++) {
    if (await holds()) return;
    await wait(25);
  }
  throw new Error('It has not come to that');
}

for (const keys of ['mode: append', 'mode: replace', 'mode: merge, key: [id]'])
  t.test(
    `killed while rows go from server to server, ${keys}: the target is as it was, and the next run is whole`,
    async (t) => {
      const scene = await openScene(t);
      const folder = t.testdir();
      const before = { id: -1, s: 'old' };
      await scene.target(`CREATE TABLE t (id int PRIMARY KEY, s text); INSERT INTO t VALUES (-1, 'old')`);
      const killed = start(folder, keys, scene);
      const ended = once(killed, 'close');
      await until(async () => {
        const found = await scene.target(
          `SELECT FROM pg_stat_progress_copy WHERE datname = current_database() AND command = 'COPY FROM' AND tuples_processed > 1000`,
        );
        return found.length > 0;
      });
      process.kill(-(killed.pid ?? 0), 'SIGKILL');
      await ended;
      await until(async () => (await scene.target('SELECT FROM pg_stat_progress_copy')).length === 0);
      t.strictSame(await scene.target('SELECT * FROM t'), [before]);
      const own = `SELECT relname FROM pg_class WHERE relname LIKE '\\_headgate%' AND relname <> '_headgate_loads' AND relkind = 'r'`;
      await until(async () => (await scene.target(own)).length === 0);
      const [code] = await once(start(folder, keys, scene), 'close');
      t.equal(code, 0);
      const count = 'SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids, min(id) AS first FROM t';
      const all = keys === 'mode: replace' ? rows : rows + 1;
      t.strictSame(await scene.target(count), [
        { n: all, ids: all, first: keys === 'mode: replace' ? 1 : -1 },
      ]);
    },
  );
