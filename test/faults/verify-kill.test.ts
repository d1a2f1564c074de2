// Long list: it kills processes, or cuts what they rely on; quick: test/engine/verify/load-verify.test.ts, test/engine/verify/verified-later.test.ts.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createDatabase } from '../support/postgres.ts';
import { expectNothingLeft } from '../support/postgres-remains.ts';
import { serve, until } from '../support/served.ts';

/*
 * A runner is killed in the middle of a comparison, or right behind it: the next attempt compares again, what it found is the run's
 * record, and no row is loaded or dead-lettered twice. Locks of the test hold the run at a known place.
 */

const ROWS = 300;
const WIDE_CHARS = 100_000;
/** The row that the target changes as it comes in. */
const MEDDLED = 3;
/** Of the advisory lock behind which the target holds what is written. */
const GATE = 42;

interface Run {
  readonly id: number;
  readonly status: string;
  readonly attempt: number;
  readonly ended_at: string | null;
}

interface Step {
  readonly step_id: string;
  readonly status: string;
  readonly attempt: number;
  readonly verification: Record<string, unknown> | null;
}

t.setTimeout(400_000);

/** Where executors keep what memory does not hold. */
const kept = mkdtempSync(join(tmpdir(), 'verify-kill-'));
t.teardown(() => rmSync(kept, { recursive: true, force: true }));
const served = await serve(t, { SVC_OUTBOUND_ALLOW: '127.0.0.1', TMPDIR: kept });
const { api } = served;
const { url } = await createDatabase(t);
const path = join(served.folder, 'orders.csv');
/** More than is held in memory to be verified. */
const widePath = join(served.folder, 'wide.csv');
const csvOf = (label: (id: number) => string) =>
  `id,label\n${Array.from({ length: ROWS }, (_, i) => `${i + 1},${label(i + 1)}`).join('\n')}\n`;
writeFileSync(
  path,
  csvOf((id) => `row ${id}`),
);
writeFileSync(
  widePath,
  csvOf((id) => `${id}`.padEnd(WIDE_CHARS, '.')),
);

async function session(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

const gate = await session();
const locker = await session();
t.teardown(() => Promise.all([gate.end(), locker.end()]));

await gate.query(`
  CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF NEW.id = ${MEDDLED} THEN NEW.label := 'meddled'; END IF; RETURN NEW; END $$;
  CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NULL; END $$;
`);

/** An empty table that lets in what has passed the gate. */
async function makeTarget({ filled = false, meddles = false }): Promise<void> {
  await gate.query(`
    DROP TABLE IF EXISTS orders;
    CREATE TABLE orders (id bigint ${filled ? 'PRIMARY KEY' : ''}, label text);
    ${filled ? `INSERT INTO orders SELECT i, 'row ' || i FROM generate_series(1, ${ROWS}) i` : ''};
    ${meddles ? 'CREATE TRIGGER meddle BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION meddle()' : ''};
    CREATE TRIGGER wait_at_gate AFTER INSERT ON orders FOR EACH STATEMENT EXECUTE FUNCTION wait_at_gate();
  `);
}

const connectorOf = (name: string, type: string, config: object) =>
  api.post<{ id: number }>('/api/connectors', { name, type, config });
const source = await connectorOf('file', 'csv', { path });
const wide = await connectorOf('wide', 'csv', { path: widePath });
const target = await connectorOf('warehouse', 'postgres', { url });

let tasks = 0;

async function start(steps: string, from = source): Promise<number> {
  tasks += 1;
  const yaml_content = `
version: 1
name: verified_${tasks}
connectors: { source: {type: csv}, target: {type: postgres} }
steps:
${steps}`;
  const task = await api.post<{ id: number }>('/api/tasks', { yaml_content });
  const connectors = { source: from.id, target: target.id };
  return (await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, { connectors })).id;
}

/** Sessions that wait for a lock of this type. */
const waiting = (locktype: 'advisory' | 'relation', count: number) =>
  until(`${count} sessions wait at a lock: ${locktype}`, 30_000, async () => {
    const sql = `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = $1 AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return (await gate.query(sql, [locktype])).rows[0].n === count;
  });

function kill(t: Test, what: 'runner-entry' | 'executor-child' = 'runner-entry'): void {
  const pids = served.pids(what);
  t.ok(pids.length > 0, 'there is something to kill');
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/** `again`: in another attempt than the killed one. A runner that waits for work dies with it, and may have been given the second. */
async function endOf(id: number) {
  const run = await until('the run ends', 60_000, async () => {
    const now = await api.get<Run>(`/api/runs/${id}`);
    return now.ended_at !== null && now;
  });
  const { result } = await api.get<{ result: Step[] }>(`/api/runs/${id}/steps`);
  const last = result.filter(({ attempt = run.attempt }) => attempt === run.attempt);
  return { ...run, again: run.attempt > 1, verified: last.find(({ verification }) => verification != null) };
}

/** The letters that somebody has to look at, each by its row. */
async function openLetters(id: number): Promise<string[]> {
  const { result } = await api.get<{ result: { status: string; code: string; item: { id: number } }[] }>(
    `/api/runs/${id}/dead-letters`,
  );
  return result.filter(({ status }) => status === 'open').map(({ code, item }) => `${code} ${item.id}`);
}

/** Folders with rows that memory does not hold. */
const spilled = () =>
  readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter((file) =>
    basename(file).startsWith('spill-'),
  );

/** Every row is there once, and neither tables, sessions at work nor locks of the run. */
async function expectTidy(t: Test): Promise<void> {
  const { rows } = await gate.query('SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids FROM orders');
  t.same(rows[0], { n: ROWS, ids: ROWS }, 'every row is there once');
  await expectNothingLeft(t, gate, ['orders']);
  t.same(spilled(), [], 'nothing is left on the disk');
}

const STEP = (onDifference: string) => `
  - id: check
    kind: verify
    source: { connector: source, method: read }
    target: { connector: target, object: orders }
    key: [id]
    on_difference: ${onDifference}
`;
const LOAD = (keys: string) => `
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: orders, ${keys} }
`;

/** Kills the run of these steps while it waits to read the table that somebody else has locked. */
async function killComparing(t: Test, steps: string): Promise<number> {
  await locker.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
  const id = await start(steps);
  await waiting('relation', 1);
  kill(t);
  await locker.query('COMMIT');
  return id;
}

interface Killed {
  /** What happens to the table before the next attempt. */
  readonly meanwhile?: string;
  readonly from?: typeof source;
  readonly what?: 'runner-entry' | 'executor-child';
}

/** Kills a run whose load has committed while it waits to compare: the lock on the table is next in the queue behind the load. */
async function killAfterLoad(
  t: Test,
  steps: string,
  { meanwhile = '', from = source, what }: Killed = {},
): Promise<number> {
  await gate.query(`SELECT pg_advisory_lock(${GATE})`);
  const id = await start(steps, from);
  await waiting('advisory', 1);
  const locking = locker.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
  await waiting('relation', 1);
  await gate.query(`SELECT pg_advisory_unlock(${GATE})`);
  await locking;
  await waiting('relation', 1);
  const { rows } = await locker.query('SELECT count(*)::int AS n FROM orders');
  t.equal(rows[0].n, ROWS, 'the load has committed');
  if (from === wide) t.equal(spilled().length, 1, 'its rows are on the disk');
  kill(t, what);
  await locker.query(`${meanwhile}; COMMIT`);
  return id;
}

t.test('a step, killed as it compares: the next attempt compares from the beginning', async (t) => {
  await makeTarget({ filled: true });
  const id = await killComparing(t, STEP('fail'));
  t.match(await endOf(id), {
    status: 'success',
    again: true,
    verified: { step_id: 'check', verification: { equal: true, rows_source: ROWS, rows_target: ROWS } },
  });
  await expectTidy(t);
});

t.test('a step that finds differences: a killed attempt does not hide them', async (t) => {
  await makeTarget({ filled: true });
  await gate.query(`UPDATE orders SET label = 'other' WHERE id = ${MEDDLED}`);
  const id = await killComparing(t, STEP('fail'));
  t.match(await endOf(id), {
    status: 'error',
    again: true,
    verified: { status: 'error', verification: { equal: false, differing: 1, missing: 0, surplus: 0 } },
  });
  await expectTidy(t);
});

t.test('a step, killed as it loads rows again: the next attempt loads them', async (t) => {
  await makeTarget({ filled: true });
  await gate.query(`DELETE FROM orders WHERE id = ${MEDDLED}`);
  await gate.query(`SELECT pg_advisory_lock(${GATE})`);
  const id = await start(STEP('reload'));
  await waiting('advisory', 1);
  kill(t);
  await gate.query(`SELECT pg_advisory_unlock(${GATE})`);
  t.match(await endOf(id), { status: 'success', again: true, verified: { verification: { equal: true } } });
  await expectTidy(t);
});

t.test('a merge, killed between its commit and the end of its comparison', async (t) => {
  await makeTarget({ filled: true, meddles: true });
  const id = await killAfterLoad(t, LOAD('mode: merge, key: [id], verify: {on_difference: dead_letter}'));
  t.match(await endOf(id), {
    status: 'warning',
    again: true,
    verified: { status: 'warning', verification: { equal: false, differing: 1 } },
  });
  t.same(await openLetters(id), [`VERIFY_DIFFERS ${MEDDLED}`]);
  await expectTidy(t);
});

t.test('a merge, killed behind its comparison: its dead letters are there once', async (t) => {
  await makeTarget({ filled: true, meddles: true });
  const steps = `${LOAD('mode: merge, key: [id], verify: {on_difference: dead_letter}')}
  - { id: nap, kind: sleep, duration: 8s }
`;
  const id = await start(steps);
  await until('the letter is kept', 30_000, async () => (await openLetters(id)).length > 0);
  kill(t);
  t.match(await endOf(id), { status: 'warning', again: true, verified: { verification: { differing: 1 } } });
  t.same(await openLetters(id), [`VERIFY_DIFFERS ${MEDDLED}`]);
  await expectTidy(t);
});

t.test(
  'an append, killed before its comparison: the next attempt compares, and loads nothing twice',
  async (t) => {
    await makeTarget({ meddles: true });
    const id = await killAfterLoad(t, LOAD('mode: append, verify: {key: [id]}'));
    t.match(await endOf(id), {
      status: 'error',
      again: true,
      verified: { status: 'error', verification: { equal: false, differing: 1 } },
    });
    await expectTidy(t);
  },
);

t.test('an append with dead letters, killed before its comparison', async (t) => {
  await makeTarget({ meddles: true });
  const id = await killAfterLoad(t, LOAD('mode: append, verify: {key: [id], on_difference: dead_letter}'));
  t.match(await endOf(id), { status: 'warning', again: true, verified: { verification: { differing: 1 } } });
  t.same(await openLetters(id), [`VERIFY_DIFFERS ${MEDDLED}`]);
  await expectTidy(t);
});

t.test('an append that loads again what differs, killed before its comparison', async (t) => {
  await makeTarget({ meddles: true });
  await gate.query('ALTER TABLE orders ADD PRIMARY KEY (id)');
  const load = LOAD('mode: append, verify: {key: [id], on_difference: reload}');
  const id = await killAfterLoad(t, load, { meanwhile: 'DROP TRIGGER meddle ON orders' });
  t.match(await endOf(id), {
    status: 'success',
    again: true,
    verified: { verification: { equal: true, reloaded: 1 } },
  });
  await expectTidy(t);
});

t.test(
  'an append of an extract with a cursor, killed before its comparison: that it may be missing is a warning',
  async (t) => {
    await makeTarget({ meddles: true });
    const steps = LOAD('mode: append, verify: {key: [id]}').replace(
      'method: read',
      'method: read, cursor: {field: id, type: integer}',
    );
    const id = await killAfterLoad(t, steps);
    const run = await endOf(id);
    t.match(run, { status: 'warning', again: true, verified: undefined });
    const { result } = await api.get<{ result: { message: string }[] }>(`/api/runs/${id}/logs?limit=1000`);
    t.ok(result.some(({ message }) => message.includes('were verified is not known')));
    await expectTidy(t);
  },
);

for (const what of ['runner-entry', 'executor-child'] as const)
  t.test(`a load whose rows are kept on the disk to be compared: ${what}`, async (t) => {
    await makeTarget({ filled: true });
    const steps = LOAD('mode: merge, key: [id], verify: true');
    const id = await killAfterLoad(t, steps, { from: wide, what });
    t.match(await endOf(id), {
      status: 'success',
      again: true,
      verified: { verification: { equal: true } },
    });
    await expectTidy(t);
  });
