import { CompiledQuery } from 'kysely';
import t from 'tap';
import { ROW_BYTES_MAX } from '../../../src/modules/dead-letters/corrected-rows.ts';
import { updateReplayItems } from '../../../src/modules/dead-letters/dead-letter-replay-store.ts';
import { REPLAY_CHARS_MAX } from '../../../src/modules/dead-letters/dead-letter-replays.ts';
import type { Db, Tx } from '../../../src/store/store.ts';
import { statementsOf } from '../../support/query-plans.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { OPERATOR } from '../runs/plane.ts';
import { letterOf, openScene, statuses } from './replay-scene.ts';

/** A row of exactly so many bytes of JSON. */
const rowOf = (bytes: number) => ({ x: 'é'.repeat((bytes - 8) / 2) });
const nested = (levels: number) =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as Record<string, unknown>;

await eachStore(t, 'a corrected row reaches its step as it was given', async (t, store) => {
  const { plane, letters, replay, failedRun, claimed } = await openScene(t, store);
  const rows: object[] = [
    {},
    { '': null, 'a b': [true, 1.5, -0.25, 9_007_199_254_740_991] },
    { text: '\ud800 and "\u2028\\' },
    nested(50),
    rowOf(ROW_BYTES_MAX),
    { cut: true, bytes: 7, beginning: '{', id: 1 },
  ];
  const runId = await failedRun(rows.map((_, n) => letterOf(n)));
  const items = (await letters(runId)).map(({ id }, n) => ({ id, item: rows[n] }));
  t.match(await replay(runId, { items }), { status: 201, body: { replaying: rows.length, left: 0 } });
  const lease = await claimed();
  const got: unknown[] = [];
  for (let after = 0; ; ) {
    const page = await plane.intake.replayRows(lease, after);
    if (page.outcome !== 'ACCEPTED' || page.value.rows.length === 0) break;
    for (const { letter_id, item } of page.value.rows) {
      got.push(item);
      after = letter_id;
    }
  }
  t.same(got, rows);
});

await eachStore(t, 'a corrected row that could not be kept as it is starts nothing', async (t, store) => {
  const { letters, replay, failedRun } = await openScene(t, store);
  const runId = await failedRun([letterOf(1), letterOf(2)]);
  const [one, two] = await letters(runId);
  const refused = async (item: unknown, message: RegExp) =>
    t.match(
      await replay(runId, { items: [{ id: one?.id, item }] }),
      { status: 400, body: { error: 'VALIDATION_ERROR', message } },
      String(message),
    );
  for (const item of ['x', 7, null, [{ n: 1 }]])
    await refused(item, /"items\.0\.item" must be a map, not (a text|a number|a list|null|true)/);
  await refused(rowOf(ROW_BYTES_MAX + 2), /has 262146 bytes of JSON; the limit is 262144/);
  await refused(nested(64), /nested deeper/);
  await refused({ a: 'x\0' }, /NUL/);
  await refused({ cut: true, bytes: 300_000, beginning: '{"n":' }, /only the stored beginning of a row/);
  t.match(
    await replay(runId, {
      items: [
        { id: one?.id, item: rowOf(ROW_BYTES_MAX + 2) },
        { id: one?.id, item: {} },
        { id: two?.id, item: { cut: true, bytes: 300_000, beginning: '{' } },
      ],
    }),
    {
      status: 400,
      body: { details: [{ path: 'items.0.item' }, { path: 'items.1.id' }, { path: 'items.2.item' }] },
    },
    'all that is wrong is told at once',
  );
  t.same(statuses(await letters(runId)), ['open', 'open']);
});

await eachStore(t, 'one call takes corrected rows up to the length of kept ones', async (t, store) => {
  const { replays, letters, failedRun } = await openScene(t, store);
  const fit = REPLAY_CHARS_MAX / ROW_BYTES_MAX;
  const runId = await failedRun(Array.from({ length: fit + 2 }, (_, n) => letterOf(n)));
  const long = JSON.stringify({ x: 'x'.repeat(ROW_BYTES_MAX - 8) });
  const rows = new Map((await letters(runId, '?limit=200')).map(({ id }) => [id, long]));
  const replayed = await replays.replay({ run_id: runId }, { ids: null, rows, use: 'snapshot' }, OPERATOR);
  t.match(replayed, { replaying: fit, left: 2 });
});

t.test('each corrected row is read once, and finds its letter by its id', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const items = [{ id: 1, json: '{}' }];
  await store.write(async (tx) => {
    const own: Db = tx;
    const [statement] = await statementsOf(own, (db) => updateReplayItems(db as Tx, store.dialect, 1, items));
    const explain = CompiledQuery.raw(`explain query plan ${statement?.sql}`, [
      ...(statement?.parameters ?? []),
    ]);
    const { rows } = await tx.executeQuery<{ detail: string }>(explain);
    t.match(
      rows.map(({ detail }) => detail),
      [/^SCAN json_each/, 'SEARCH dead_letters USING INTEGER PRIMARY KEY (rowid=?)'],
    );
  });
});
