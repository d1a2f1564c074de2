// Long list: it tries every combination of many; quick: test/language/yaml/load-yaml.test.ts, test/app/services/parsers.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { fewOrAll } from '../support/fault-list.ts';
import { serve, until } from '../support/served.ts';

const HEALTH_MS_MAX = 100;
const HEALTH_TRIES = 20;
/** At once. */
const PREVIEWS = fewOrAll(1, 2);

const served = await serve(t, { SVC_WORKER_TASK_TIMEOUT_MS: '3000' });

/** The middle of twenty: one slow answer on a busy machine is not what the server does. */
async function healthMs(): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < HEALTH_TRIES; index++) {
    const start = performance.now();
    const answer = await fetch(`${served.url}/api/health`);
    await answer.text();
    times.push(performance.now() - start);
    await delay(25);
  }
  return times.sort((a, b) => a - b)[HEALTH_TRIES / 2] ?? Number.POSITIVE_INFINITY;
}

const task = (expression: string, timeout = '1s') => `
version: 1
name: hostile
timeout: ${timeout}
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - id: shape
    kind: transform
    input: read
    ops: [{ set: { x: ${JSON.stringify(expression)} } }]
  - { id: write, kind: load, input: shape, connector: target, object: hostile, mode: append }
`;

/** The first, which no interpreter can leave, is the worst. */
const BOMBS = {
  regex: "$contains('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', /^(a+)+$/)",
  sequence: '$count([1..10000000])',
  recursion: '($f := function($n){ 1 + $f($n + 1) }; $f(0))',
  memory: '($f := function($s){ $f($s & $s) }; $f("xxxxxxxxxxxxxxxx"))',
};

t.test(
  'an expression bomb in a preview or a run ends that one alone; health answers all the while',
  async (t) => {
    writeFileSync(join(served.folder, 'one.csv'), 'id\n1\n2\n');
    const source = await served.api.post<{ id: number }>('/api/connectors', {
      name: 's',
      type: 'csv',
      config: { path: join(served.folder, 'one.csv') },
    });
    const target = await served.api.post<{ id: number }>('/api/connectors', {
      name: 't',
      type: 'sqlite',
      config: { path: join(served.folder, 't.db'), create: true },
    });
    const connectors = { source: source.id, target: target.id };
    for (const [name, bomb] of Object.entries(BOMBS).slice(0, fewOrAll(1, 4))) {
      const previews = Array.from({ length: PREVIEWS }, () =>
        served.api
          .post<{ failure: unknown; steps: { errors: unknown[] }[] }>('/api/tasks/preview', {
            yaml_content: task(bomb),
            connectors,
          })
          .then(
            (preview) => preview.failure !== null || preview.steps.some((step) => step.errors.length > 0),
            (error: { code?: string }) => ['UNPROCESSABLE', 'NOT_READY'].includes(error.code ?? ''),
          ),
      );
      const made = await served.api.post<{ id: number }>('/api/tasks', {
        name: `bomb ${name}`,
        yaml_content: task(bomb),
      });
      const run = await served.api.post<{ id: number }>(`/api/tasks/${made.id}/runs`, { connectors });
      const median = await healthMs();
      t.ok(median < HEALTH_MS_MAX, `${name}: health answers in ${median.toFixed(1)} ms`);
      t.same(
        await Promise.all(previews),
        Array(PREVIEWS).fill(true),
        `${name}: the previews say what is wrong`,
      );
      const ended = await until('the run ends', 40_000, async () => {
        const now = await served.api.get<{ status: string; error: { code: string } | null }>(
          `/api/runs/${run.id}`,
        );
        return !['queued', 'running'].includes(now.status) && now;
      });
      t.equal(ended.status, 'error', `${name}: the run ends with ${ended.error?.code}`);
    }
    const good = await served.api.post<{ id: number }>('/api/tasks', {
      name: 'good',
      yaml_content: task('item.id + 1', '20s'),
    });
    const run = await served.api.post<{ id: number }>(`/api/tasks/${good.id}/runs`, { connectors });
    const ended = await until('the good run ends', 20_000, async () => {
      const now = await served.api.get<{ status: string }>(`/api/runs/${run.id}`);
      return !['queued', 'running'].includes(now.status) && now;
    });
    t.equal(ended.status, 'success', 'what comes after is not disturbed');
  },
);

t.test('a hostile document is refused with all its problems, and health answers all the while', async (t) => {
  const documents = {
    keys: `version: 1\n${Array.from({ length: 9_000 }, (_, index) => `k${index}: 1`).join('\n')}`,
    depth: `version: ${'['.repeat(5_000)}`,
    aliases: `a: &a [x, x]\n${Array.from({ length: 80 }, (_, index) => `b${index}: *a`).join('\n')}`,
    duplicates: 'version: 1\nname: a\nname: b\nsteps: []\n',
    types: 'version: 2\nname: [1]\nsteps: { a: 1 }\nretry: { max_attempts: many }\nnonsense: 1\n',
  };
  for (const [name, yaml_content] of Object.entries(documents)) {
    const checking = served.api.post<{ valid: boolean; problems: { line?: number }[] }>(
      '/api/tasks/validate',
      { yaml_content },
    );
    const median = await healthMs();
    t.ok(median < HEALTH_MS_MAX, `${name}: health answers in ${median.toFixed(1)} ms`);
    const checked = await checking;
    t.equal(checked.valid, false, name);
    t.ok((checked.problems[0]?.line ?? 0) > 0, `${name}: says where`);
  }
  const { problems } = await served.api.post<{ problems: { path: string }[] }>('/api/tasks/validate', {
    yaml_content: documents.types,
  });
  t.ok(problems.length >= 5, 'all problems at once');
});
