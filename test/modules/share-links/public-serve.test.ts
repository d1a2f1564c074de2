import t, { type Test } from 'tap';
import { oneIn } from '../../support/fault-list.ts';
import { startFullApp } from '../../support/full-app.ts';
import { seeded } from '../../support/seed.ts';
import { STORE_KINDS, type StoreKind } from '../../support/stores.ts';
import { dashboardOf } from '../dashboard-widgets/shop.ts';

const TEMPLATE = `version: 1
name: t
tasks: {say: {task: hello}}
job_config: { contact: { type: form, fields: [{ key: name, label: Name, type: text, required: true }] } }
`;
const TASK = 'version: 1\nname: hello\nsteps: [{ id: say, kind: log, message: hello }]\n';
const DASHBOARD = `allow_public_input: true\n${dashboardOf(
  '{ id: contact, type: form }',
  '{ id: go, type: action, label: Go, allow_public: true, run: { job: true } }',
  '{ id: runs, type: table, source: runs, export: true, columns: [{ key: status }] }',
)}`;

/** A server as `serve` starts it, with a shared dashboard that takes input; asked over its own socket. */
async function serveOne(t: Test, kind: StoreKind, settings: Record<string, string> = {}) {
  const full = await startFullApp(t, kind, { SVC_PUBLIC_DASHBOARD_INPUT_ENABLED: 'true', ...settings });
  const { visitor } = await full.superadmin();
  const made = async (path: string, body: object) => {
    const answer = await visitor.post<{ id: number }>(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
    return answer.body.id;
  };
  await made('/api/tasks', { yaml_content: TASK });
  const template = await made('/api/job-templates', { name: 'T', yaml_content: TEMPLATE });
  const board = { name: 'Board', yaml_content: DASHBOARD };
  await made(`/api/job-templates/${template}/dashboard-templates`, board);
  const job = await made(`/api/job-templates/${template}/jobs`, {
    name: 'nightly',
    connector_mapping: {},
  });
  const boards = await visitor.get<{ result: { id: number }[] }>(`/api/jobs/${job}/dashboards`);
  const share = `/api/dashboards/${boards.body.result[0]?.id}/share`;
  const { body } = await visitor.post<{ share_token: string }>(share, { password: 'eight or more' });
  const link = `${full.plane.httpAddress}/api/public/dashboards/${body.share_token}`;
  let cookie = '';
  const ask = async (path: string, sent?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${link}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { cookie, ...(sent && { 'content-type': 'application/json' }), ...headers },
      ...(sent && { body: JSON.stringify(sent) }),
    });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';')[0] ?? '';
    const text = await answer.text();
    const json = answer.headers.get('content-type')?.includes('application/json') && text !== '';
    return { status: answer.status, text, body: json ? JSON.parse(text) : null, set };
  };
  return { full, visitor, job, share, ask };
}

for (const kind of seeded(t).someOf(STORE_KINDS, oneIn(STORE_KINDS.length, 1))) {
  t.test(`a stranger unlocks a link, fills in its form and starts its job (${kind})`, async (t) => {
    const { full, visitor, job, share, ask } = await serveOne(t, kind);
    t.equal((await ask('')).status, 401);
    t.equal((await ask('/unlock', { password: 'not this one' })).status, 401);
    const opened = await ask('/unlock', { password: 'eight or more' });
    t.equal(opened.status, 204);
    t.notMatch(
      opened.set,
      /Secure/,
      'as the session cookie: this server is reached by plain http on loopback',
    );
    t.match(await ask(''), {
      status: 200,
      body: { allow_public_input: true, branding: { product_name: 'Headgate' } },
    });

    t.match(await ask('/widgets/contact/submit', { value: { name: 'Ann' } }), {
      body: { saved: true, version: 2 },
    });
    t.match((await ask('/widgets/data', {})).body.widgets, {
      contact: { data: { values: { name: 'Ann' } } },
    });
    t.match(await ask('/widgets/go/action', {}), {
      status: 200,
      body: { outcome: 'started', job_run_id: null },
    });
    const runs = await visitor.get<{ result: object[] }>(`/api/jobs/${job}/runs`);
    t.equal(runs.body.result.length, 1);
    t.match(await ask('/widgets/runs/rows', {}), { status: 200, body: { rows: [{ status: String }] } });
    t.match(await ask('/widgets/runs/export'), { status: 200, text: /^status\r\n\w+\r\n$/ });
    t.equal(
      (await ask('/widgets/contact/submit', { value: {} }, { origin: 'https://evil.test' })).status,
      403,
    );

    const logs = await visitor.get<{ result: { actor_type: string; action: string }[] }>('/api/audit-logs');
    const written = logs.body.result.filter(({ actor_type }) => actor_type === 'public').reverse();
    t.same(
      written.map(({ action }) => action),
      [
        'dashboard.unlock',
        'dashboard.unlock',
        'job.config',
        'dashboard.submit',
        'job_run.start',
        'dashboard.action',
      ],
    );
    await visitor.post(`${share}/rotate`);
    t.equal((await ask('')).status, 404);
    t.same([...new Set(full.openapi.breaches)], [], 'every answer is what the OpenAPI document says');
  });
}

t.test(
  'behind https the cookie is for https alone, and nothing is taken unless the server says so',
  async (t) => {
    const { ask } = await serveOne(t, 'sqlite', {
      SVC_PUBLIC_URL: 'https://headgate.example',
      SVC_PUBLIC_DASHBOARD_INPUT_ENABLED: '',
    });
    t.match((await ask('/unlock', { password: 'eight or more' })).set, /; Secure;/);
    t.match(await ask(''), { body: { allow_public_input: false } });
    t.match(await ask('/widgets/contact/submit', { value: { name: 'Ann' } }), {
      status: 403,
      body: { message: 'This dashboard is read-only' },
    });
  },
);

t.test('a server is opened to input, and closed again, while it runs', async (t) => {
  const { visitor, ask } = await serveOne(t, 'sqlite', { SVC_PUBLIC_DASHBOARD_INPUT_ENABLED: '' });
  await ask('/unlock', { password: 'eight or more' });
  const submit = () => ask('/widgets/contact/submit', { value: { name: 'Ann' } });
  const turn = async (enabled: boolean) => {
    const answer = await visitor.put('/api/server/config', {
      settings: { public_dashboard_input_enabled: enabled },
    });
    t.equal(answer.status, 200);
  };
  t.match([await ask(''), await submit()], [{ body: { allow_public_input: false } }, { status: 403 }]);
  await turn(true);
  t.match([await ask(''), await submit()], [{ body: { allow_public_input: true } }, { status: 200 }]);
  await turn(false);
  t.match([await ask(''), await submit()], [{ body: { allow_public_input: false } }, { status: 403 }]);
});
