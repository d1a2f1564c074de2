import { AppError } from '../../../src/base/errors.ts';
import type { PartsAsk } from '../../../src/base/run-parts.ts';
import { rejectsWith } from '../support/rejects-with.ts';
import { leased, type Scenario, stale } from './scenario.ts';

export function unaryScenarios(scenario: Scenario): void {
  scenario('a run specification arrives whole, against a live lease only', async (t, plane, client) => {
    const spec = {
      task_name: 'sync',
      task_version: 7,
      yaml: 'steps:\n  - id: a\n',
      args: { since: null, list: [1, 2] },
      args_template: { day: '{{ args.since }}', n: [1] },
      when_expr: 'args.since != null',
      secrets: ['hunter22', 'zwölf "Zeichen"'],
      replay: { step_id: 'shape', letters: 3 },
      job_config: { customer: 'ACME' },
      connectors: { source: { id: 3, name: 'crm', type: 'http', config: { url: 'x', secret: 's' } } },
      run: { id: 1, attempt: 1 },
      timeout_ms: 60_000,
      tasks: { other: 'steps: []' },
      keeps_parts: true,
      foreach: { items_expr: 'args.shops', concurrency: 2 },
      help: { run_id: 4, attempt: 2, step_id: 'read', order: { scope: { ü: [1, null] } } },
      metrics: [
        { backend: 'statsd', config: { port: 8125 } },
        { backend: 'http', config: {}, own: { task_id: 3 } },
      ],
    };
    const run = plane.enqueue(spec);
    await plane.claim({ executor_id: 1, session_token: '' }, 1);
    t.same(await client.runSpec(run.lease), { outcome: 'ACCEPTED', value: spec });
    t.same(await client.runSpec(stale(run.lease)), { outcome: 'STALE_LEASE' });
    t.same(await client.runSpec({ ...run.lease, run_id: 99 }), { outcome: 'RUN_ABSENT' });
    const whole = await leased(plane);
    t.match(
      await client.runSpec(whole.lease),
      { value: { replay: null, tasks: {}, help: null } },
      'most runs replay nothing',
    );
  });

  scenario('the rows of a replay come page by page, against a live lease only', async (t, plane, client) => {
    const run = await leased(plane);
    const rows = [
      { letter_id: 4, item: { name: 'ünï ☃', n: 1.5, nested: { list: [null, true] } } },
      { letter_id: 7, item: null },
      { letter_id: 9, item: { text: 'y'.repeat(1_000_000) } },
    ];
    run.replayRows.push(...rows);
    t.same(await client.replayRows(run.lease, 0), { outcome: 'ACCEPTED', value: { rows: rows.slice(0, 2) } });
    t.same(await client.replayRows(run.lease, 7), { outcome: 'ACCEPTED', value: { rows: rows.slice(2) } });
    t.same(await client.replayRows(run.lease, 9), { outcome: 'ACCEPTED', value: { rows: [] } });
    t.same(await client.replayRows(stale(run.lease), 0), { outcome: 'STALE_LEASE' });
    t.same(await client.replayRows({ ...run.lease, run_id: 99 }, 0), { outcome: 'RUN_ABSENT' });
  });

  scenario('checkpoints are compared and set', async (t, plane, client) => {
    const { lease } = await leased(plane);
    t.same(await client.checkpoint(lease, 'cursor'), {
      outcome: 'ACCEPTED',
      value: { value: null, version: 0 },
    });
    const save = { lease, name: 'cursor', value: { after: 'a', n: [1] }, expected_version: 0 };
    t.same(await client.saveCheckpoint(save), { outcome: 'ACCEPTED', value: { version: 1, stored: true } });
    t.same(await client.saveCheckpoint(save), { outcome: 'ACCEPTED', value: { version: 1, stored: false } });
    t.same(await client.checkpoint(lease, 'cursor'), {
      outcome: 'ACCEPTED',
      value: { value: { after: 'a', n: [1] }, version: 1 },
    });
    t.same(await client.saveCheckpoint({ ...save, lease: stale(lease) }), { outcome: 'STALE_LEASE' });
    t.same(await client.checkpoint(stale(lease), 'cursor'), { outcome: 'STALE_LEASE' });
  });

  scenario('parts are offered, taken and ended, against a live lease only', async (t, plane, client) => {
    const run = await leased(plane);
    const figures = {
      rows_in: 5,
      rows_out: 4,
      rows_failed: 1,
      rows_skipped: 0,
      rows_filtered: 0,
      rows_deleted: 0,
    };
    const step = {
      step_id: 'read',
      kind: 'extract',
      status: 'warning',
      error: 'ü',
      cursor: null,
      schema_changes: [],
    } as const;
    const steps = [{ ...step, ...figures, started_at: 1, ended_at: 2, attempts: 1 }];
    const ended = { number: 1, take: 2, rows: 4, error: '', steps };
    const asks: readonly PartsAsk[] = [
      {
        step_id: 'read',
        holding: [],
        offer: { digest: 'abc', labels: ['id < 5', 'id hat keinen ☃'], helpers: 3, order: { scope: [1] } },
        ended: null,
        wants: true,
      },
      { step_id: 'read', holding: [1, 2], offer: null, ended, wants: false },
    ];
    const answers = [
      { part: { number: 2, take: 3 }, left: 0, is_closed: false, others: [] },
      { part: null, left: 2, is_closed: true, others: [ended] },
    ];
    for (const [index, ask] of asks.entries())
      t.same(await client.parts({ lease: run.lease, ...ask }), {
        outcome: 'ACCEPTED',
        value: answers[index],
      });
    t.same(run.partsAsks, asks);
    for (const ask of asks)
      t.same(await client.parts({ lease: stale(run.lease), ...ask }), { outcome: 'STALE_LEASE' });
  });

  scenario('dead letters are stored once, however many messages they take', async (t, plane, client) => {
    const run = await leased(plane);
    const items = Array.from({ length: 50 }, (_, n) => ({
      step_id: 'load',
      item: { n, text: 'y'.repeat(100_000) },
      code: 'CONNECTOR_ERROR',
      message: `row ${n}`,
      ...(n > 0 && { replay_of: n }),
      ...(n % 2 === 0 && { origin: { file: 'ü.csv', line: n + 1, key: { id: n }, cursor: { at: null } } }),
      ...(n % 3 === 0 && { column: 'größe', value: n === 0 ? null : { n } }),
    }));
    const batch = { lease: run.lease, first_seq: 1, items };
    t.same(await client.putDeadLetters(batch), { outcome: 'ACCEPTED', acked_seq: 50 });
    t.same(await client.putDeadLetters(batch), { outcome: 'ALREADY_DONE', acked_seq: 50 });
    t.same(run.deadLetters, items);
    const old = { ...batch, lease: stale(run.lease) };
    t.equal((await client.putDeadLetters(old)).outcome, 'STALE_LEASE');
  });

  scenario('deregistering gives open leases back and ends the identity', async (t, plane, client) => {
    await leased(plane);
    await leased(plane);
    t.equal(await client.deregister(), 2);
    await rejectsWith(t, client.deregister(), 'AUTH_ERROR');
  });

  scenario('an error carries its code, message, details and delay', async (t, plane, client) => {
    const { lease } = await leased(plane);
    plane.before = (operation) => {
      if (operation !== 'checkpoint') return;
      throw new AppError('RATE_LIMITED', 'Too "many" ü', {
        retryAfterSeconds: 2.5,
        details: [{ path: 'name', message: 'wait' }],
      });
    };
    const error = await rejectsWith(t, client.checkpoint(lease, 'c'), 'RATE_LIMITED', /^Too "many" ü$/);
    // HTTP has whole seconds; what gRPC carries exactly is proved in `grpc-status.test.ts`.
    t.equal(Math.ceil(error.retryAfterSeconds ?? 0), 3);
    t.match(error.details, [{ path: 'name', message: 'wait' }]);
  });

  scenario('an unexpected failure says nothing of its cause', async (t, plane, client) => {
    const { lease } = await leased(plane);
    plane.before = (operation) => {
      if (operation === 'checkpoint') throw new Error('SELECT secret FROM /var/lib');
    };
    const error = await rejectsWith(t, client.checkpoint(lease, 'c'), 'INTERNAL_ERROR');
    t.notMatch(error.message, /secret|var/);
  });
}
