import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { serve, until } from '../support/served.ts';

const BIG = '9007199254740993';
const TASK = `
version: 1
name: big_ids
connectors: { file: { type: csv }, wh: { type: sqlite } }
args: { least: { type: integer } }
steps:
  - { id: read, kind: extract, connector: file, method: read, cursor: { field: id, type: integer, initial: 0 } }
  - { id: shape, kind: transform, input: read, ops: [{ cast: { qty: integer } }], on_error: dead_letter }
  - { id: write, kind: load, input: shape, connector: wh, object: t, mode: merge, key: [id] }
`;
const TEMPLATE = `
version: 1
name: big_ids
connectors: { file: { type: csv }, wh: { type: sqlite } }
args: { least: { type: integer } }
job_config:
  limits: { type: form, fields: [{ key: most, label: Most, type: number }] }
tasks: { load: { task: big_ids, args: { least: "{{ args.least }}" } } }
`;
const served = await serve(t, {});

/** A body as its text: no client of ours could write these numbers. */
async function send(method: string, path: string, text: string) {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${served.apiKey}`, 'content-type': 'application/json' },
    body: text,
  });
  return { status: response.status, text: await response.text() };
}

t.test('no number of a body changes: it is stored with all its digits, or refused by its name', async (t) => {
  const { api, folder } = served;
  writeFileSync(join(folder, 'big.csv'), `id,qty\n${BIG},x\n`);
  const connector = (name: string, type: string, config: object) =>
    api.post<{ id: number }>('/api/connectors', { name, type, config });
  const file = await connector('file', 'csv', { path: join(folder, 'big.csv') });
  const wh = await connector('wh', 'sqlite', { path: join(folder, 'big.db'), create: true });
  await api.post('/api/tasks', { yaml_content: TASK });
  const template = await api.post<{ id: number }>('/api/job-templates', {
    name: 'big_ids',
    yaml_content: TEMPLATE,
  });
  const job = await api.post<{ id: number }>(`/api/job-templates/${template.id}/jobs`, {
    name: 'big',
    connector_mapping: { file: file.id, wh: wh.id },
  });
  const first = await api.post<{ id: number }>(`/api/jobs/${job.id}/runs`, {});
  await until(
    'the first run',
    30_000,
    async () => (await api.get<{ ended_at: string | null }>(`/api/job-runs/${first.id}`)).ended_at !== null,
  );

  await t.test('a corrected row keeps every digit', async (t) => {
    const { result } = await api.get<{ result: { id: number }[] }>(`/api/jobs/${job.id}/dead-letters`);
    const body = `{"items":[{"id":${result[0]?.id},"item":{"id":${BIG},"qty":7,"rate":1e400}}]}`;
    const replay = await send('POST', `/api/jobs/${job.id}/dead-letters/replay`, body);
    t.equal(replay.status, 201, replay.text);
    await until('the replay', 30_000, async () => {
      const { result } = await api.get<{ result: unknown[] }>(
        `/api/jobs/${job.id}/dead-letters?status=replayed`,
      );
      return result.length === 1;
    });
    const db = new DatabaseSync(join(folder, 'big.db'), { readOnly: true });
    t.teardown(() => db.close());
    const stored = db.prepare('select cast(id as text) as id, qty, rate from t').all();
    t.same(
      stored.map((row) => ({ ...row })),
      [{ id: BIG, qty: 7, rate: '1e400' }],
    );
  });

  await t.test('a cursor continues from just there', async (t) => {
    const set = await send('PUT', `/api/jobs/${job.id}/state/load`, `{"step_id":"read","value":${BIG}}`);
    t.equal(set.status, 200, set.text);
    t.match(set.text, `"value":"${BIG}"`);
  });

  const refusals: readonly (readonly [string, string, string, string])[] = [
    ['a field of the configuration', 'PUT', `/api/jobs/${job.id}/config/limits`, `{"value":{"most":${BIG}}}`],
    [
      'one with too large an exponent',
      'PUT',
      `/api/jobs/${job.id}/config/limits`,
      '{"value":{"most":1e400}}',
    ],
    [
      'a long fraction',
      'PUT',
      `/api/jobs/${job.id}/config/limits`,
      '{"value":{"most":12345678901234567.89}}',
    ],
    [
      'the configuration of one run',
      'POST',
      `/api/jobs/${job.id}/runs`,
      `{"config_override":{"limits":{"most":${BIG}}}}`,
    ],
    ['an argument', 'POST', `/api/jobs/${job.id}/runs`, `{"args":{"least":${BIG}}}`],
    ['a number of the API itself', 'POST', `/api/jobs/${job.id}/runs`, `{"priority":${BIG}}`],
  ];
  for (const [what, method, path, body] of refusals) {
    const { status, text } = await send(method, path, body);
    const number = /[\d.]+(?:e\d+)?(?=\})/.exec(body)?.[0] ?? '';
    t.equal(status, 400, what);
    t.ok(text.includes(`is ${number}, which a number cannot keep exactly`), `${what}: ${text}`);
  }
  t.match(await api.get(`/api/jobs/${job.id}/config`), { values: { limits: {} } });
});
