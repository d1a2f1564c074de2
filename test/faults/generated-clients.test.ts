// Long list: it tries every combination of many; quick: test/openapi.test.ts, test/openapi-lint.test.ts.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import createFetchClient from 'openapi-fetch';
import t from 'tap';
import type { paths } from '../../src/client/openapi-types.ts';
import { ofFullList } from '../support/fault-list.ts';
import { findProgram } from '../support/find-program.ts';
import { MAIN } from '../support/program.ts';
import { serve } from '../support/served.ts';
import { STORE_KINDS } from '../support/stores.ts';

/*
 * Somebody who has only the OpenAPI document: a client that is generated from it does the whole path on a real server.
 */

const ROOT = join(import.meta.dirname, '../..');
const TASK = `version: 1
name: copy_things
connectors: { source: { type: dummy } }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: write, kind: load, input: read, connector: source, object: things, mode: append }
`;
const TEMPLATE = `version: 1
name: things
connectors: { source: { type: dummy } }
tasks: { copy: { task: copy_things } }
`;

/** Kinds of events lost their models to names that collided. */
const EVENTS = [
  'JobFailingEvent',
  'JobRecoveredEvent',
  'JobRunFailedEvent',
  'JobRunSucceededEvent',
  'TriggerPausedEvent',
  'WebhookTestEvent',
];

t.setTimeout(120_000);

for (const kind of STORE_KINDS)
  t.test(
    `a TypeScript client connects, defines, runs, reads, pages and follows an ETag (${kind})`,
    async (t) => {
      const served = await serve(t, {}, MAIN, kind);
      const api = createFetchClient<paths>({
        baseUrl: served.url,
        headers: { authorization: `Bearer ${served.apiKey}` },
      });
      const connector = await api.POST('/api/connectors', {
        body: { name: 'source', type: 'dummy', config: { rows: [{ id: 1 }, { id: 2 }] } },
      });
      t.equal(connector.response.status, 201);
      const source = connector.data?.id ?? 0;
      const task = await api.POST('/api/tasks', { body: { yaml_content: TASK } });
      const template = await api.POST('/api/job-templates', {
        body: { name: 'things', yaml_content: TEMPLATE },
      });
      const job = await api.POST('/api/job-templates/{id}/jobs', {
        params: { path: { id: template.data?.id ?? 0 } },
        body: { name: 'things of one', connector_mapping: { source } },
      });
      const started = await api.POST('/api/jobs/{id}/runs', { params: { path: { id: job.data?.id ?? 0 } } });
      t.equal(started.response.status, 201);
      const params = { path: { id: started.data?.id ?? 0 } };
      let jobRun = await api.GET('/api/job-runs/{id}', { params });
      while (jobRun.data?.status === 'queued' || jobRun.data?.status === 'running') {
        await sleep(100);
        jobRun = await api.GET('/api/job-runs/{id}', { params });
      }
      t.match(jobRun.data, { status: 'success', runs: [{ task_key: 'copy', items: { in: 2, out: 2 } }] });
      const run = { path: { id: jobRun.data?.runs[0]?.id ?? 0 } };
      t.match(
        (await api.GET('/api/runs/{id}/steps', { params: run })).data?.result.map(({ step_id }) => step_id),
        ['read', 'write'],
      );
      const log = await api.GET('/api/runs/{id}/logs/download', { params: run, parseAs: 'text' });
      t.ok((log.data ?? '').split('\n').length > 2, 'NDJSON is text');
      const events = await api.GET('/api/runs/{id}/logs/stream', { params: run, parseAs: 'text' });
      t.match(events.data, /event: end/);

      await api.POST('/api/tasks', { body: { name: 'another', yaml_content: TASK } });
      const first = await api.GET('/api/tasks', { params: { query: { limit: 1 } } });
      const cursor = first.data?.next_cursor ?? '';
      const second = await api.GET('/api/tasks', { params: { query: { limit: 1, cursor } } });
      t.same(
        [first, second].map(({ data }) => data?.result.map(({ name }) => name)),
        [['another'], ['copy_things']],
      );
      t.equal(second.data?.next_cursor, null);

      const path = { id: task.data?.id ?? 0 };
      const etag =
        (await api.GET('/api/tasks/{id}', { params: { path } })).response.headers.get('etag') ?? '';
      const change = () =>
        api.PUT('/api/tasks/{id}', {
          params: { path, header: { 'If-Match': etag } },
          body: { yaml_content: TASK.replace('things,', 'other_things,') },
        });
      t.match(await change(), { data: { version: 2 } });
      t.match(await change(), { error: { error: 'PRECONDITION_FAILED' } });
    },
  );

const generator = findProgram(process.env['OPENAPI_PYTHON_CLIENT_PATH'], ['openapi-python-client']);
const NO_GENERATOR = 'no openapi-python-client (OPENAPI_PYTHON_CLIENT_PATH)';

/** Names of media types that the generator knows, for those that it does not. */
const CONFIGURATION = `content_type_overrides:
  application/x-ndjson: text/plain
  application/yaml: text/plain
  application/zip: application/octet-stream
post_hooks: []
`;

t.test(
  'a Python client is generated without a warning, and does the same',
  { skip: ofFullList.skip || (generator === null && NO_GENERATOR) },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-python-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'config.yaml'), CONFIGURATION);
    const run = promisify(execFile);
    const inFolder = { cwd: folder, timeout: 60_000 };
    const output = join(folder, 'headgate_client');
    await run(
      generator ?? '',
      [
        'generate',
        ...['--path', join(ROOT, 'openapi.json')],
        ...['--output-path', output, '--meta', 'none'],
        ...['--config', join(folder, 'config.yaml'), '--fail-on-warning'],
      ],
      inFolder,
    );
    const served = await serve(t);
    writeFileSync(
      join(folder, 'given.json'),
      JSON.stringify({ url: served.url, key: served.apiKey, TASK, TEMPLATE, EVENTS }),
    );
    // The generator's own Python has the libraries that its clients use.
    const python = join(dirname(generator ?? ''), 'python');
    const { stdout } = await run(python, [join(import.meta.dirname, 'python-client.py')], {
      ...inFolder,
      env: { ...process.env, PYTHONPATH: folder },
    });
    t.same(JSON.parse(stdout), {
      connector: 'dummy',
      status: 'success',
      items: { in: 2, out: 2, failed: 0, skipped: 0, filtered: 0, deleted: 0 },
      steps: ['read', 'write'],
      has_log: true,
      has_end: true,
      pages: [['another'], ['copy_things']],
      changed: 2,
      refused: [412, 'PRECONDITION_FAILED'],
      lacking: [],
    });
  },
);
