import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { eachFigure, ROW_COUNTS } from '../../../src/base/run-report.ts';
import { registerRunLogRoutes } from '../../../src/modules/run-logs/run-log-routes.ts';
import { registerRunRoutes } from '../../../src/modules/runs/run-routes.ts';
import type { Lease, LogLine } from '../../../src/protocol/control-plane.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp, type TestApp, userOf } from '../../support/app.ts';
import { checkHistory } from '../../support/history.ts';
import type { ReadableLine } from '../../support/log-lines.ts';
import { eachStore } from '../../support/stores.ts';
import {
  completionOf,
  FAILED,
  frameOf,
  lineOf,
  newExecutor,
  openPlane,
  type Plane,
  passTime,
  queueRun,
  startedRun,
} from './plane.ts';

async function open(t: Test, store: Store) {
  const plane = openPlane(t, store);
  const served = await createTestApp(t, (app) => {
    registerRunRoutes(app, { store, runs: plane.runs });
    registerRunLogRoutes(app, { store, notifications: plane.notifications, now: () => Date.now() });
  });
  const executor = await newExecutor(plane);
  return { plane, served, executor, viewer: served.as('viewer'), operator: served.as('operator') };
}

function linesOf(count: number, over: (seq: number) => Partial<ReadableLine> = () => ({})): LogLine[] {
  return Array.from({ length: count }, (_, index) => lineOf(`line ${index + 1}`, over(index + 1)));
}

async function append(plane: Plane, lease: Lease, first: number, lines: readonly LogLine[]): Promise<void> {
  await plane.intake.appendLogs(frameOf({ lease, first_seq: first, lines }));
}

interface Page {
  result: { seq: number; message: string; attempt: number }[];
  last_seq: number;
  complete: boolean;
  next_cursor: string | null;
}

await eachStore(t, 'log pages go on from each other, and say when the log is all there', async (t, store) => {
  const { plane, executor, viewer, served } = await open(t, store);
  const lease = await startedRun(plane, executor);
  const path = `/api/runs/${lease.run_id}/logs`;
  await append(
    plane,
    lease,
    1,
    linesOf(25, (seq) => ({ level: seq % 5 === 0 ? 'error' : 'info', step_id: seq > 20 ? 'load' : '' })),
  );
  const seen: number[] = [];
  let cursor: string | null = '0.0';
  while (cursor !== null) {
    const { body }: { body: Page } = await viewer.get<Page>(`${path}?limit=10&after_seq=${cursor}`);
    seen.push(...body.result.map((line) => line.seq));
    t.match(body, { last_seq: 25, complete: false, attempts: [{ attempt: 1, last_seq: 25 }] });
    cursor = body.next_cursor;
  }
  t.same(
    seen,
    Array.from({ length: 25 }, (_, index) => index + 1),
  );
  const found = async (query: string) =>
    (await viewer.get<Page>(`${path}?${query}`)).body.result.map((line) => line.seq);
  t.same(await found('level=error'), [5, 10, 15, 20, 25]);
  t.same(await found('level=error&step=load'), [25]);
  t.same(await found('q=LINE%2012'), [12]);
  t.same(await found('after_seq=24'), [25]);
  await plane.intake.complete(completionOf(lease, { last_log_seq: 26 }));
  t.equal((await viewer.get<Page>(path)).body.complete, false, 'a line is missing');
  await append(plane, lease, 26, [lineOf('last')]);
  t.equal((await viewer.get<Page>(path)).body.complete, true);
  const { text, headers } = await downloadOf(served, `${path}/download?level=error`);
  t.match(headers, { 'content-type': /x-ndjson/ });
  t.same(
    text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { seq: number }).seq),
    [5, 10, 15, 20, 25],
  );
  t.equal((await viewer.get('/api/runs/999/logs')).status, 404);
  t.equal((await viewer.get(`${path}?after_seq=x`)).status, 400);
});

/** As text: NDJSON is not one JSON value. */
async function downloadOf({ app }: TestApp, url: string) {
  const headers = { 'x-test-principal': JSON.stringify(userOf('viewer')) };
  const answer = await app.inject({ method: 'GET', url, headers });
  return { text: answer.body, headers: answer.headers };
}

interface Event {
  readonly id: string | null;
  readonly event: string;
  readonly data: { seq?: number; complete?: boolean; last_seq?: number; status?: string };
}

/** Reads an event stream until its end, or until `enough` says so. */
async function follow(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  enough: (events: readonly Event[]) => boolean = () => false,
): Promise<Event[]> {
  const controller = new AbortController();
  const principal = { 'x-test-principal': JSON.stringify(userOf('viewer')), 'sec-fetch-site': 'same-origin' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...principal, ...headers },
    signal: controller.signal,
  });
  const events: Event[] = [];
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null;
      const data = field('data');
      if (data !== null)
        events.push({
          id: field('id'),
          event: field('event') ?? '',
          data: JSON.parse(data) as Event['data'],
        });
    }
    if (enough(events)) break;
  }
  controller.abort();
  return events;
}

const seqsOf = (events: readonly Event[]) =>
  events.filter(({ event }) => event === 'log').map(({ data }) => data.seq);

await eachStore(
  t,
  'a stream gives every line once, and its end only when the log is all there',
  async (t, store) => {
    const { plane, executor, served } = await open(t, store);
    await served.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = served.app.server.address() as AddressInfo;
    const lease = await startedRun(plane, executor);
    const path = `/api/runs/${lease.run_id}/logs/stream`;
    await append(plane, lease, 1, linesOf(700));
    const first = await follow(port, path, {}, (events) => seqsOf(events).length >= 300);
    const place = first.filter(({ event }) => event === 'log')[299]?.id ?? '';
    t.equal(place, '1.300');
    // A later state replaces it: whoever reads the run only then is told nothing of it.
    const told = Promise.withResolvers<void>();
    const whole = follow(port, path, {}, (events) => {
      if (events.some(({ event }) => event === 'progress')) told.resolve();
      return false;
    });
    const resumed = follow(port, path, { 'last-event-id': place });
    const errors = follow(port, `${path}?level=error`);
    const figures = { rows_in: 1, rows_out: 1, rows_failed: 0, rows_per_second: 1, ratio: 0.1 };
    await plane.intake.progress({ lease, step_id: 's', ...figures });
    await told.promise;
    for (let seq = 701; seq <= 1_000; seq += 10)
      await append(
        plane,
        lease,
        seq,
        linesOf(10, (n) => ({ level: n === 10 ? 'error' : 'info' })),
      );
    await plane.intake.complete(completionOf(lease, { last_log_seq: 1_005 }));
    let ended = false;
    const done = Promise.all([whole, resumed, errors]).then((all) => {
      ended = true;
      return all;
    });
    await new Promise((resolve) => setTimeout(resolve, 400));
    t.equal(ended, false, 'five lines are missing still');
    await append(plane, lease, 1_001, linesOf(5));
    const [all, rest, filtered] = await done;
    t.same(
      seqsOf(all),
      Array.from({ length: 1_005 }, (_, index) => index + 1),
    );
    t.same(
      seqsOf(rest),
      Array.from({ length: 705 }, (_, index) => index + 301),
    );
    t.same(
      seqsOf(filtered),
      Array.from({ length: 30 }, (_, index) => 710 + index * 10),
    );
    for (const events of [all, rest, filtered])
      t.match(events.at(-1), { event: 'end', data: { last_seq: 1_005, complete: true, status: 'success' } });
    t.ok(all.some(({ event }) => event === 'progress'));
    t.ok(all.some(({ event, data }) => event === 'status' && data.status === 'success'));
  },
);

await eachStore(t, 'a stream whose last lines never come says so', async (t, store) => {
  const { plane, executor, served } = await open(t, store);
  await served.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = served.app.server.address() as AddressInfo;
  const short = await startedRun(plane, executor);
  await append(plane, short, 1, linesOf(3));
  await plane.intake.complete(completionOf(short, { last_log_seq: 5 }));
  const lost = await startedRun(plane, executor);
  for (let attempt = 1; attempt <= 3; attempt++) {
    await passTime(store, 91_000);
    await plane.sweeper.sweep(true);
    // After a second loss it waits.
    await passTime(store, 10_000);
    for (const { lease } of await plane.intake.claim(executor, 1)) await plane.intake.acknowledge(lease);
  }
  await passTime(store, 11_000);
  for (const id of [short.run_id, lost.run_id]) {
    const events = await follow(port, `/api/runs/${id}/logs/stream`);
    t.match(events.at(-1), { event: 'end', data: { complete: false } });
  }
  const never = await queueRun(store);
  await plane.runs.cancel(
    never,
    { mode: 'force', graceMs: 0 },
    { type: 'user', id: 1, name: 'x', address: null, requestId: null },
  );
  const events = await follow(port, `/api/runs/${never}/logs/stream`);
  t.match(events.at(-1), { event: 'end', data: { last_seq: 0, complete: true, status: 'cancelled' } });
});

await eachStore(t, 'runs are listed, read, cancelled and deleted over HTTP', async (t, store) => {
  const { plane, executor, viewer, operator } = await open(t, store);
  const lease = await startedRun(plane, executor);
  const at = Date.now();
  const counted = { rows_in: 8, rows_out: 1, rows_skipped: 2, rows_filtered: 5 };
  const rows = { ...eachFigure(ROW_COUNTS, () => 0), ...counted };
  const step = {
    step_id: 'load',
    kind: 'load',
    status: 'error',
    ...rows,
    started_at: at,
    ended_at: at + 5,
    attempts: 1,
    error: 'no',
    cursor: { from: null, to: '9007199254740993' },
    schema_changes: [{ object: 'prices', column: 'amount', from: 'integer', to: 'bigint' }],
  } as const;
  const args = { since: '2024-01-01', region: null };
  await plane.intake.complete(completionOf(lease, { ...FAILED, rows_filtered: 5, args, steps: [step] }));
  const waiting = await queueRun(store);
  const { body } = await viewer.get<{ result: { id: number }[] }>('/api/runs');
  t.same(
    body.result.map((run) => run.id),
    [waiting, lease.run_id],
  );
  const failed = await viewer.get<{ result: { id: number }[] }>('/api/runs?status=error');
  t.same(
    failed.body.result.map((run) => run.id),
    [lease.run_id],
  );
  t.match((await viewer.get(`/api/runs/${lease.run_id}`)).body, {
    status: 'error',
    reason: 'task_error',
    error: { code: 'CONNECTOR_ERROR', step: 'load' },
    items: { in: 10, out: 9, failed: 1, skipped: 0, filtered: 5 },
    args,
    status_history: [{ to_status: 'queued' }, { to_status: 'running' }, { to_status: 'error', attempt: 1 }],
  });
  t.match((await viewer.get(`/api/runs/${lease.run_id}/steps`)).body, {
    result: [
      {
        step_id: 'load',
        rows_skipped: 2,
        rows_filtered: 5,
        duration_ms: 5,
        error: 'no',
        cursor: { from: null, to: '9007199254740993' },
        schema_changes: [{ object: 'prices', column: 'amount', from: 'integer', to: 'bigint' }],
      },
    ],
  });
  t.equal((await viewer.post(`/api/runs/${waiting}/cancel`)).status, 403);
  t.match((await operator.post(`/api/runs/${waiting}/cancel`, { grace_seconds: 0.0015 })).status, 202);
  t.equal((await operator.post(`/api/runs/${waiting}/cancel`)).status, 409);
  const active = await queueRun(store);
  t.match(await operator.delete(`/api/runs/${active}`), { status: 400, body: { error: 'VALIDATION_ERROR' } });
  t.equal((await operator.delete(`/api/runs/${waiting}`)).status, 204);
  t.equal((await viewer.get(`/api/runs/${waiting}`)).status, 404);
  const fractional = await startedRun(plane, executor);
  t.equal(
    (await operator.post(`/api/runs/${fractional.run_id}/cancel`, { grace_seconds: 1.2345 })).status,
    202,
  );
  await checkHistory(store.read);
});
