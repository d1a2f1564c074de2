import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import type { PartsAnswer, PartsAsk, PartsOffer } from '../../../src/base/run-parts.ts';
import { postgresDriver } from '../../../src/drivers/postgres/driver.ts';
import { contextOf, execute, rowsOf } from '../../drivers/sql/engines.ts';
import { createDatabase } from '../../support/postgres.ts';
import { createKeeper, runYaml } from '../support/task-run.ts';

/* Which parts other executors may take, and what the log of the run says where they may not. */

const ROWS = 40;
let runs = 0;

const { url } = await createDatabase(t);
const db = await postgresDriver.connect({ url }, contextOf('/'));
t.teardown(() => db.close());
const folder = t.testdir();
const lite = join(folder, 'lite.db');
const made = new DatabaseSync(lite);
const table = (name: string) => `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, n INTEGER)`;
const rows = Array.from({ length: ROWS }, (_, n) => `(${n + 1}, ${n})`).join();
for (const sql of [table('src'), `INSERT INTO src VALUES ${rows}`]) made.exec(sql);
made.close();
await execute(db, table('src'), `INSERT INTO src VALUES ${rows}`);

/** A control plane that hands every part to the run itself, and remembers what it was offered. */
function controlPlane() {
  const offers: PartsOffer[] = [];
  let next = 0;
  let ended = 0;
  const parts = async (ask: PartsAsk): Promise<PartsAnswer> => {
    if (ask.offer !== null) offers.push(ask.offer);
    if (ask.ended !== null) ended += 1;
    const all = offers[0]?.labels.length ?? 0;
    const part = ask.wants && next < all ? { number: ++next, take: 1 } : null;
    return { part, left: all - ended, is_closed: ended === all, others: [] };
  };
  return { parts, offers };
}

interface Case {
  readonly source?: 'pg' | 'lite';
  readonly partition?: string;
  readonly large?: string;
  readonly onError?: string;
}

async function offered(t: Test, { source = 'pg', partition = '', large = '', onError = '' }: Case) {
  await execute(db, 'DROP TABLE IF EXISTS dst', table('dst'));
  const { parts, offers } = controlPlane();
  const keeper = createKeeper();
  const yaml = `
version: 1
name: copy
connectors: { pg: { type: postgres }, lite: { type: sqlite } }
args: { large: { type: string } }
steps:
  - { id: read, kind: extract, connector: ${source}, method: list, args: { table: src }, partition: { by: id, parts: 3${partition} } }
  - { id: shape, kind: transform, input: read, ops: [{ set: { n: item.n } }]${onError} }
  - { id: write, kind: load, input: shape, connector: pg, object: dst, mode: append }
`;
  const connectors = {
    pg: { type: 'postgres', config: { url } },
    lite: { type: 'sqlite', config: { path: lite } },
  };
  const outcome = await runYaml({
    folder,
    yaml,
    connectors,
    input: { args: { large }, run: { id: ++runs, attempt: 1 } },
    keeper: { ...keeper, ports: { ...keeper.ports, parts } },
  });
  t.same(outcome.failure, null);
  t.equal(outcome.status, 'success');
  t.equal((await rowsOf(db, 'SELECT * FROM dst')).length, ROWS);
  const said = keeper.logs.flatMap(
    ({ message }) => /^Parts are not shared with other executors: (.*)/.exec(message)?.[1] ?? [],
  );
  const [offer] = offers;
  return { helpers: offer?.helpers, hasOrder: offer !== undefined && offer.order !== null, said };
}

t.test('three other slots may take parts where nothing speaks against it', async (t) => {
  t.same(await offered(t, {}), { helpers: 3, hasOrder: true, said: [] });
  t.same(await offered(t, { partition: ', slots: 2' }), { helpers: 1, hasOrder: true, said: [] });
  t.same(await offered(t, { onError: ', on_error: skip' }), { helpers: 3, hasOrder: true, said: [] });
});

const LOCAL: readonly (readonly [string, Case, readonly string[]])[] = [
  ['nobody asked for more than one', { partition: ', slots: 1' }, []],
  [
    'a connector is of one machine',
    { source: 'lite' },
    [`"lite" (sqlite) may be on this executor's machine alone`],
  ],
  [
    'failed rows become dead letters',
    { onError: ', on_error: dead_letter' },
    ['"shape" keeps failed rows as dead letters'],
  ],
  [
    'what expressions read is large',
    { large: 'x'.repeat(300_000) },
    ['the results of earlier steps are too large to be handed over'],
  ],
];

for (const [why, given, said] of LOCAL)
  t.test(`all parts stay with the run where ${why}, and its log says so`, async (t) => {
    t.same(await offered(t, given), { helpers: 0, hasOrder: false, said });
  });
