// Long list: it kills processes; quick: test/engine/script/script.test.ts.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { fewOrMany } from '../support/fault-list.ts';
import { seeded } from '../support/seed.ts';
import { attemptTask } from '../support/task-attempt.ts';

/*
 * A run whose rows pass through several processes of a script, in small batches, is killed at random moments and tried again: each row is
 * in the target once, in its order, the cursor says so, and no process of a script outlives its run.
 */

const KILLS = fewOrMany(3, 10);
const ROWS = 6_000;
const SPAN_MS = 2_500;

t.setTimeout(1_800_000);

/** The processes that a process has started, and those that these have. */
function below(pid: number): readonly number[] {
  const threads = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  const own = threads.flatMap((thread) => {
    const file = `/proc/${pid}/task/${thread}/children`;
    return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : [];
  });
  return own.flatMap((child) => [child, ...below(child)]);
}

/** Children die with the pipes to their parent. */
async function areGone(pids: readonly number[]): Promise<boolean> {
  for (let look = 0; look < 200; look += 1) {
    if (pids.every((pid) => !existsSync(`/proc/${pid}`))) return true;
    await delay(50);
  }
  return false;
}

t.test(
  'a killed run with several processes of a script loses no row, and takes its processes along',
  async (t) => {
    const { random } = seeded(t);
    const lines = Array.from({ length: ROWS }, (_, at) => `${at + 1}\n`);
    const folder = t.testdir({ 'rows.csv': `id\n${lines.join('')}` });
    const code =
      'export default async (row) => { if (row.id % 20 === 0) await new Promise((done) => setTimeout(done, 3)); return row.id % 3 === 0 ? null : { id: row.id, twice: row.id * 2 }; }';
    const yaml = `
version: 1
name: scripted
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read, cursor: {field: id, type: integer, initial: 0}, batch: {size: 40, max_bytes: 100000} }
  - { id: change, kind: script, input: read, concurrency: 3, batch: {size: 25}, code: ${JSON.stringify(code)} }
  - { id: write, kind: load, input: change, connector: target, object: out, mode: append, batch: {size: 60} }
`;
    const connectors = {
      source: { type: 'csv', config: { path: 'rows.csv' } },
      target: { type: 'sqlite', config: { path: 'out.db' } },
    };
    const scripts = { python: null, memoryMb: 256 };
    const checkpoints = join(folder, 'checkpoints.json');
    let id = 70;
    const attempt = async (killAfterMs: number | null) => {
      const file = join(folder, 'given.json');
      const input = { run: { id, attempt: 1 } };
      writeFileSync(file, JSON.stringify({ folder, yaml, connectors, scripts, checkpoints, input }));
      let started: readonly number[] = [];
      const before = (pid: number) => {
        started = below(pid);
      };
      const ended = await attemptTask(file, killAfterMs === null ? null : { afterMs: killAfterMs, before });
      t.ok(await areGone(started), `${started.length} processes are gone`);
      return { ended, started: started.length };
    };
    let most = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { ended, started } = await attempt(random() * SPAN_MS);
      most = Math.max(most, started);
      // What has ended is followed by another run.
      if (ended !== '') id += 1;
    }
    t.match(JSON.parse((await attempt(null)).ended), { status: 'success' });
    const db = new DatabaseSync(join(folder, 'out.db'));
    t.teardown(() => db.close());
    const found = db.prepare('SELECT id, twice FROM out ORDER BY rowid').all();
    const wanted = Array.from({ length: ROWS }, (_, at) => at + 1).filter((one) => one % 3 !== 0);
    t.strictSame(
      found.map((row) => [row['id'], row['twice']]),
      wanted.map((one) => [one, one * 2]),
    );
    const saved = JSON.parse(readFileSync(checkpoints, 'utf8')) as [string, { value: unknown }][];
    t.match(new Map(saved).get('read'), { value: ROWS });
    t.ok(most >= 3 || KILLS < 5, `at most ${most} processes were there`);
  },
);
