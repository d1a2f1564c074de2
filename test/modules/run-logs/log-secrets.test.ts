import { sql } from 'kysely';
import t from 'tap';
import { selectLogs } from '../../../src/modules/run-logs/run-log-store.ts';
import { createRunSecrets } from '../../../src/modules/run-logs/run-secrets.ts';
import type { LogBatch, LogFrame } from '../../../src/protocol/control-plane.ts';
import type { Store } from '../../../src/store/store.ts';
import { readableLine } from '../../support/log-lines.ts';
import { eachStore } from '../../support/stores.ts';
import { completionOf, frameOf, lineOf, newExecutor, openPlane, startedRun } from '../runs/plane.ts';

const SECRET = 'p"ss/wörd+&=42\\x';
const CONNECTOR = 17;

/** As logs show it; the last within the header that sends it. */
function formsOf(secret: string): string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(`user:${secret}`).toString('base64'),
  ];
}

/** Every text of every table, as it is stored. */
async function dumpOf(store: Store): Promise<string> {
  const texts: string[] = [];
  for (const db of [store.read, store.logs as unknown as typeof store.read]) {
    for (const { name } of await db.introspection.getTables()) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
      for (const row of rows) texts.push(`${name}: ${Object.values(row).join(' | ')}`);
    }
  }
  return texts.join('\n');
}

const asJson = (batch: LogBatch): LogFrame => ({
  encoding: 'json',
  bytes: Buffer.from(
    JSON.stringify({ ...batch, lines: batch.lines.map(readableLine) })
      .replaceAll('/', '\\/')
      .replaceAll('ö', '\\u00f6'),
  ),
});

await eachStore(t, 'a planted secret is found nowhere in the store', async (t, store) => {
  let asked = 0;
  const secrets = createRunSecrets({
    store,
    connectorSecrets: async (connectors) => {
      asked += 1;
      return Object.values(connectors).includes(CONNECTOR) ? [SECRET] : [];
    },
  });
  const plane = openPlane(t, store, { secrets });
  const executor = await newExecutor(plane);
  const lease = await startedRun(plane, executor, { connectors: { crm: CONNECTOR } });
  const other = await startedRun(plane, executor);
  const lines = formsOf(SECRET).flatMap((form) => [
    lineOf(`in a message: ${form}`),
    lineOf('in a step', { step_id: `s-${form}` }),
    lineOf('in fields', { fields: { deep: [{ value: form }], [form]: 1 } }),
    lineOf(`${'x'.repeat(16_380)}${form}`),
  ]);
  const frames = [frameOf, asJson].map((toFrame, index) =>
    toFrame({ lease, first_seq: index * lines.length + 1, lines }),
  );
  const innocent = frameOf({ lease: other, first_seq: 1, lines: [lineOf('nothing to hide: pass')] });
  const acks = await Promise.all([...frames, innocent].map((frame) => plane.intake.appendLogs(frame)));
  for (const ack of acks) t.equal(ack.outcome, 'ACCEPTED');
  // Fields that hide it in JSON escapes which no encoder needs.
  const escaped = frameOf({
    lease,
    first_seq: 2 * lines.length + 1,
    lines: [
      lineOf('escaped', { fields: { token: SECRET } }),
      { ...lineOf('escaped'), fields_json: JSON.stringify({ token: SECRET }).replaceAll('s', '\\u0073') },
    ],
  });
  t.equal((await plane.intake.appendLogs(escaped)).outcome, 'ACCEPTED');
  t.equal(
    (await selectLogs(store.logs, lease.run_id, { after: { attempt: 0, seq: 0 } }, 1_000)).length,
    2 * lines.length + 2,
  );
  t.match(await selectLogs(store.logs, other.run_id, { after: { attempt: 0, seq: 0 } }, 10), [
    { message: 'nothing to hide: pass' },
  ]);
  t.equal(asked, 1, 'once for the run with connectors, and not for the one without');
  const dump = await dumpOf(store);
  t.match(dump, /in a message: \*{8}/);
  for (const form of formsOf(SECRET)) t.notOk(dump.includes(form), `"${form}"`);
});

await eachStore(t, 'what a run tells besides its log is redacted too', async (t, store) => {
  const secrets = createRunSecrets({ store, connectorSecrets: async () => [SECRET] });
  const plane = openPlane(t, store, { secrets });
  const executor = await newExecutor(plane);
  const lease = await startedRun(plane, executor, { connectors: { crm: CONNECTOR } });
  const [plain = ''] = formsOf(SECRET);
  await plane.intake.progress({
    lease,
    step_id: plain,
    rows_in: 1,
    rows_out: 1,
    rows_failed: 0,
    rows_per_second: 1,
    ratio: 0.5,
  });
  await plane.intake.putDeadLetters({
    lease,
    first_seq: 1,
    items: formsOf(SECRET).map((form) => ({ step_id: 's', item: { a: [form] }, code: 'X', message: form })),
  });
  const step = {
    step_id: 'load',
    kind: 'load',
    status: 'error' as const,
    rows_in: 0,
    rows_out: 0,
    rows_failed: 0,
    rows_skipped: 0,
    rows_filtered: 0,
    rows_deleted: 0,
    started_at: 1,
    ended_at: 2,
    attempts: 1,
    error: formsOf(SECRET).join(' '),
    cursor: { from: null, to: SECRET },
    schema_changes: [],
  };
  const args = { query: formsOf(SECRET) };
  const failure = { code: 'CONNECTOR_ERROR', message: formsOf(SECRET).join(' '), step_id: 'load' };
  const outputs = { url: `https://user:${encodeURIComponent(SECRET)}@host` };
  await plane.intake.complete(
    completionOf(lease, { status: 'error', reason: 'task_error', failure, args, outputs, steps: [step] }),
  );
  const dump = await dumpOf(store);
  t.match(dump, /\*{8}/);
  for (const form of formsOf(SECRET)) t.notOk(dump.includes(form), `"${form}"`);
});

await eachStore(t, 'while the secrets of a run cannot be had nothing of it is stored', async (t, store) => {
  let broken = true;
  const secrets = createRunSecrets({
    store,
    connectorSecrets: async () => {
      if (broken) throw new Error('the store hangs');
      return [SECRET];
    },
  });
  const plane = openPlane(t, store, { secrets });
  const executor = await newExecutor(plane);
  const lease = await startedRun(plane, executor, { connectors: { crm: CONNECTOR } });
  const frame = frameOf({ lease, first_seq: 1, lines: [lineOf(SECRET)] });
  await t.rejects(plane.intake.appendLogs(frame), { code: 'NOT_READY' });
  broken = false;
  t.match(await plane.intake.appendLogs(frame), { outcome: 'ACCEPTED', acked_seq: 1 });
  t.notOk((await dumpOf(store)).includes(SECRET));
});

await eachStore(
  t,
  'a secret without any special character is found behind escapes alone',
  async (t, store) => {
    const plain = 'hunter22plain';
    const secrets = createRunSecrets({ store, connectorSecrets: async () => [plain] });
    const plane = openPlane(t, store, { secrets });
    const lease = await startedRun(plane, await newExecutor(plane), { connectors: { crm: CONNECTOR } });
    const fields_json = '{"token":"\\u0068unter22plain","path":"a"}';
    // Nothing else in the frame makes it worth a look.
    const frame = frameOf({ lease, first_seq: 1, lines: [{ ...lineOf('escaped'), fields_json }] });
    t.equal((await plane.intake.appendLogs(frame)).outcome, 'ACCEPTED');
    const [line] = await selectLogs(store.logs, lease.run_id, { after: { attempt: 0, seq: 0 } }, 10);
    t.match(line, { message: 'escaped' });
    t.notMatch(await dumpOf(store), /unter22plain/);
  },
);
