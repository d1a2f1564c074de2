// Own process: measures the memory of its process.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { RunLogHub } from '../../../src/modules/run-logs/run-log-hub.ts';
import { LOG_LIMITS } from '../../../src/modules/run-logs/run-log-limits.ts';
import { registerRunLogRoutes } from '../../../src/modules/run-logs/run-log-routes.ts';
import { selectLogPage } from '../../../src/modules/run-logs/run-log-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp, userOf } from '../../support/app.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { batchOf, completionOf, frameOf, lineOf, newExecutor, openPlane, startedRun } from '../runs/plane.ts';

async function serve(t: Test, store: Store, limits = LOG_LIMITS) {
  const plane = openPlane(t, store, { limits });
  const served = await createTestApp(t, (app) => {
    registerRunLogRoutes(app, { store, notifications: plane.notifications, now: () => Date.now() });
  });
  await served.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = served.app.server.address() as AddressInfo;
  return { plane, served, port, executor: await newExecutor(plane) };
}

/** A client that reads what it is told to, and no more. */
class Watcher {
  readonly socket: Socket;
  text = '';

  constructor(t: Test, port: number, path: string, headers = '') {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => undefined);
    t.teardown(() => this.socket.destroy());
    const principal = `x-test-principal: ${JSON.stringify(userOf('viewer'))}`;
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nhost: x\r\n${principal}\r\nsec-fetch-site: same-origin\r\n${headers}\r\n`,
    );
  }

  /** Keeps the last of what it read. */
  read(charsMax = Number.POSITIVE_INFINITY): this {
    this.socket.setEncoding('utf8').on('data', (text: string) => {
      this.text =
        charsMax === Number.POSITIVE_INFINITY ? this.text + text : (this.text + text).slice(-charsMax);
    });
    return this;
  }

  async until(pattern: RegExp): Promise<string> {
    const deadline = Date.now() + 15_000;
    while (!pattern.test(this.text)) {
      if (Date.now() > deadline) throw new Error(`It never said ${pattern}: ${this.text.slice(-500)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.text;
  }

  idsOf(event: string): string[] {
    return [...this.text.matchAll(new RegExp(`id: (\\S+)\nevent: ${event}\n`, 'g'))].map(
      ([, id]) => id ?? '',
    );
  }

  dataOf(event: string): unknown[] {
    return [...this.text.matchAll(new RegExp(`event: ${event}\ndata: (.*)\n`, 'g'))].map(([, json]) =>
      JSON.parse(json ?? ''),
    );
  }
}

await eachStore(t, 'many watchers of one run each get every line once, and its end', async (t, store) => {
  const { plane, port, executor } = await serve(t, store);
  const lease = await startedRun(plane, executor);
  const path = `/api/runs/${lease.run_id}/logs/stream`;
  await plane.intake.appendLogs(frameOf(batchOf(lease, 1, 700)));
  const watchers = Array.from({ length: 40 }, () => new Watcher(t, port, path).read());
  for (let first = 701; first <= 2_000; first += 100) {
    await plane.intake.appendLogs(frameOf(batchOf(lease, first, first + 99)));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await plane.intake.complete(completionOf(lease, { last_log_seq: 2_000 }));
  const expected = Array.from({ length: 2_000 }, (_, index) => `1.${index + 1}`);
  for (const watcher of watchers) {
    await watcher.until(/event: end/);
    t.same(watcher.idsOf('log'), expected);
    t.match(watcher.dataOf('end'), [{ last_seq: 2_000, complete: true, reason: null }]);
  }
  const resumed = new Watcher(t, port, path, 'last-event-id: 1.1990\r\n').read();
  await resumed.until(/event: end/);
  t.same(resumed.idsOf('log'), expected.slice(1_990));
});

await eachStore(
  t,
  'a reader is told of lines that were not kept, and of those that are gone',
  async (t, store) => {
    const { plane, served, port, executor } = await serve(t, store, { ...LOG_LIMITS, runBytesMax: 2_000 });
    const lease = await startedRun(plane, executor);
    const path = `/api/runs/${lease.run_id}/logs`;
    const lines = Array.from({ length: 50 }, (_, index) => lineOf(`${index + 1} ${'x'.repeat(200)}`));
    await plane.intake.appendLogs(frameOf({ lease, first_seq: 1, lines }));
    await plane.intake.complete(completionOf(lease, { last_log_seq: 50 }));
    const all = new Watcher(t, port, `${path}/stream`).read();
    await all.until(/event: end/);
    t.match(all.dataOf('gap'), [{ attempt: 1, from: 10, to: 50, reason: 'quota' }]);
    t.same(all.idsOf('log').at(-1), '1.9');
    t.match(all.dataOf('end'), [{ last_seq: 50, complete: false, reason: 'quota' }]);
    const errors = new Watcher(t, port, `${path}/stream?level=error`).read();
    await errors.until(/event: end/);
    t.match(
      errors.dataOf('gap'),
      [{ from: 10, to: 50, reason: 'quota' }],
      'also where a filter keeps the note back',
    );
    t.match((await served.as('viewer').get(path)).body, {
      complete: false,
      reason: 'quota',
      dropped: 42,
      pruned_to: null,
    });
    await store.logs
      .updateTable('run_log_cursors')
      .set({ pruned_seq: 5 })
      .execute()
      .catch(() => undefined);
    if (store.bulkFiles !== null) return;
    await store.logs.deleteFrom('run_logs').where('seq', '<=', 5).execute();
    const late = new Watcher(t, port, `${path}/stream`).read();
    await late.until(/event: end/);
    t.match(late.dataOf('gap'), [
      { from: 1, to: 5, reason: 'retention' },
      { from: 10, to: 50, reason: 'quota' },
    ]);
    t.match((await served.as('viewer').get(path)).body, { reason: 'retention', pruned_to: '1.5' });
  },
);

await eachStore(
  t,
  'a filtered page looks at a bounded number of lines and says where to go on',
  async (t, store) => {
    const plane = openPlane(t, store);
    const lease = await startedRun(plane, await newExecutor(plane));
    const lines = Array.from({ length: 100 }, (_, index) =>
      lineOf(`line ${index + 1}`, { level: index % 40 === 0 ? 'error' : 'debug' }),
    );
    await plane.intake.appendLogs(frameOf({ lease, first_seq: 1, lines }));
    const found: number[] = [];
    const places: (string | null)[] = [];
    let after = { attempt: 0, seq: 0 };
    for (;;) {
      const { rows, next } = await selectLogPage(store.logs, lease.run_id, { after, level: 4 }, 10, 30);
      found.push(...rows.map((row) => row.seq));
      places.push(next && `${next.attempt}.${next.seq}`);
      if (next === null) break;
      after = next;
    }
    t.same(found, [1, 41, 81]);
    t.same(places, ['1.30', '1.60', '1.90', null]);
  },
);

t.test('watchers at the same place read once', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const plane = openPlane(t, store);
  const lease = await startedRun(plane, await newExecutor(plane));
  await plane.intake.appendLogs(frameOf(batchOf(lease, 1, 300)));
  const hub = new RunLogHub({ store, notifications: plane.notifications, now: () => Date.now() });
  const watches = Array.from({ length: 50 }, () => hub.watch(lease.run_id, () => undefined));
  const pages = await Promise.all(
    watches.map(async (watch) => {
      const state = await watch.state();
      return state && watch.page({ after: { attempt: 0, seq: 0 } }, state);
    }),
  );
  t.equal(new Set(pages.map((page) => page?.events)).size, 1, 'all have the same bytes');
  t.match(pages[0], { last: { attempt: 1, seq: 300 } });
  for (const watch of watches) watch.close();
});

t.test('slow readers cost a page each, and the server’s stop ends them', ofFullList, async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { plane, served, port, executor } = await serve(t, store);
  const lease = await startedRun(plane, executor);
  const lines = Array.from({ length: 1_000 }, () => lineOf('x'.repeat(1_000)));
  for (let batch = 0; batch < 20; batch++)
    await plane.intake.appendLogs(frameOf({ lease, first_seq: batch * 1_000 + 1, lines }));
  const path = `/api/runs/${lease.run_id}/logs/stream`;
  const slow = Array.from({ length: 20 }, () => new Watcher(t, port, path));
  for (const { socket } of slow) socket.pause();
  const quick = new Watcher(t, port, path).read(4_000);
  await quick.until(/id: 1\.20000\n/);
  // The kernel takes some megabytes for each; what it does not take yet is one page.
  const { arrayBuffers } = process.memoryUsage();
  t.ok(arrayBuffers < 100_000_000, `${arrayBuffers} bytes in buffers`);
  const closed = Promise.all([quick, ...slow].map(({ socket }) => once(socket.resume(), 'close')));
  await served.app.close();
  await closed;
  t.pass('all are closed');
});
