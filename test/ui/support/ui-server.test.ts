import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { OpenapiCheck, type OpenapiDocument } from '../../support/openapi-check.ts';
import { startUiServer, type UiServer } from './ui-server.ts';

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'),
) as OpenapiDocument;

interface Scene {
  readonly server: UiServer;
  readonly check: OpenapiCheck;
  /** Status and body of an answer; a POST where there is something to send. */
  ask(path: string, body?: object): Promise<readonly [number, unknown]>;
}

async function scene(t: Test): Promise<Scene> {
  const check = new OpenapiCheck(() => document);
  const server = await startUiServer((...answer) => check.look(...answer));
  t.teardown(() => server.close());
  const ask = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}/api/public/dashboards/${path}`, init);
    const text = await answer.text();
    return [answer.status, answer.status === 204 ? null : JSON.parse(text)] as const;
  };
  return { server, check, ask };
}

t.test('dashboards, their data and refusals are as the API documents them', async (t) => {
  const { server, check, ask } = await scene(t);
  for (const link of ['flights', 'inputs']) {
    const [, dashboard] = await ask(link);
    const { pages } = dashboard as { pages: { widgets: { id: string; type: string }[] }[] };
    const widgets = pages.flatMap((page) => page.widgets);
    const widget_ids = widgets.filter(({ type }) => type !== 'heading').map(({ id }) => id);
    t.equal((await ask(`${link}/widgets/data`, { widget_ids, wait_ms: 500 }))[0], 200);
  }
  t.equal((await ask('unknown'))[0], 404);
  t.equal((await ask('locked'))[0], 401);
  t.equal((await ask('locked/unlock', { password: 'wrong' }))[0], 401);
  t.equal((await ask('locked/unlock', { password: 'headwind' }))[0], 204);
  for (const status of [429, 503] as const) {
    server.refuseWith(status);
    t.equal((await ask('flights/widgets/data', { widget_ids: ['delay'], wait_ms: 500 }))[0], status);
  }
  t.same(check.breaches, []);
});

t.test('options, saves, presses and rows are as the API documents them', async (t) => {
  const { server, check, ask } = await scene(t);
  server.inputs.pressMs = 0;
  const value = { name: 'A', region: 'eu' };
  const calls: readonly (readonly [string, object, number])[] = [
    ['settings/options', { side: 'accounts' }, 200],
    ['fields/options', { side: 'source', q: 'na' }, 200],
    ['settings/submit', { value, dry_run: true }, 200],
    ['settings/submit', { value, version: 7 }, 200],
    ['settings/submit', { value, version: 7 }, 412],
    ['settings/submit', { value: {} }, 400],
    ['fields/submit', { value: [{ source_field: 'a', target_field: 'b' }] }, 200],
    ['reload/action', { input: { reason: 'wrong' } }, 400],
    ['reload/action', { input: { reason: 'New field', mode: 'full' } }, 200],
    ['ping/action', { input: {} }, 200],
    ['customers/rows', { page: { cursor: null, limit: 25 } }, 200],
    ['customers/rows', { page: { cursor: '0.25', limit: 25 } }, 400],
    ['customers/rows', { page: { cursor: null, limit: 25 }, sort: 'plan' }, 400],
  ];
  for (const [path, body, status] of calls)
    t.equal((await ask(`inputs/widgets/${path}`, body))[0], status, path);
  server.inputs.optionsFail = true;
  t.equal((await ask('inputs/widgets/settings/options', { side: 'accounts' }))[0], 502);
  t.same(check.breaches, []);
});
