import t from 'tap';
import { createWidgetScene, type WidgetScene } from './fixtures/widget-scene.ts';

const INPUT = `
      - { key: mode, label: Mode, type: select, required: true, options: [{ label: All, value: all }, { label: One, value: one }] }
      - { key: id, label: Id, type: number, required: true, hide_if_expr: "mode = 'all'" }
      - { key: mail, type: text, format: email }
      - { key: retries, type: number, default: 3 }
`;
const YAML = `
pages:
  - id: a
    title: A
    widgets:
      - id: start
        type: action
        allow_public: true
        run: { job: true, args: { mode: "{{ value.mode }}", id: "{{ value.id }}", tenant: "{{ job_config.tenant }}", since: "{{ args.since }}" } }
        success_message: "Started {{ value.mode }} for {{ job.name }} ({{ value.retries }})"
        input: ${INPUT.replaceAll('\n      ', '\n          ')}
      - { id: task, type: action, run: { task: load, args: { full: true } } }
      - { id: call, type: action, run: { connector: fake, method: record, args: { rows: [{ who: "{{ value.who }}" }] } }, input: [{ key: who, type: text }], success_message: "{{ $count(value) }}" }
      - { id: idle, type: action }
      - { id: wrong, type: action, run: { job: true, args: { n: "{{ $number('x') }}" } } }
      - { id: gone, type: action, visible_if_expr: "false", run: { job: true } }
      - { id: stat, type: stat, source: config }
  - { id: b, title: B, public: false, widgets: [{ id: inner, type: action, allow_public: true, run: { job: true } }] }
`;

function prepare({ run, input }: WidgetScene, widgetId: string, value: unknown, publicView = false) {
  return run('prepare_action', { ...input(YAML, widgetId), publicView, value });
}

t.test('an action is prepared with its checked input', async (t) => {
  const scene = createWidgetScene(t);
  t.same(await prepare(scene, 'start', { mode: 'one', id: 7 }), {
    ok: true,
    run: { kind: 'job', args: { mode: 'one', id: 7, tenant: 'acme', since: 2024 } },
    value: { mode: 'one', id: 7, retries: 3 },
    message: 'Started one for Shop (3)',
  });
  t.same(
    await prepare(scene, 'start', { mode: 'all', id: 7 }, true),
    {
      ok: true,
      run: { kind: 'job', args: { mode: 'all', tenant: 'acme', since: 2024 } },
      value: { mode: 'all', retries: 3 },
      message: 'Started all for Shop (3)',
    },
    'what is hidden is dropped, required or not',
  );
  t.same(await prepare(scene, 'task', null), {
    ok: true,
    run: { kind: 'task', task: 'load', args: { full: true } },
    value: {},
    message: null,
  });
  t.same(await prepare(scene, 'call', { who: '{{ args }}' }), {
    ok: true,
    run: {
      kind: 'call',
      connector: 'fake',
      method: 'record',
      args: { rows: [{ who: '{{ args }}' }] },
      fields: {},
    },
    value: { who: '{{ args }}' },
    message: '1',
  });
});

t.test('every problem of the input is told at once, and nothing is prepared', async (t) => {
  const scene = createWidgetScene(t);
  const answer = await prepare(scene, 'start', { mode: 'two', id: 'x', mail: 'no', maill: 1 });
  t.notOk(answer.ok);
  t.match(answer, {
    problems: [
      { path: 'input.mode', message: '"Mode" must be one of all, one, not "two"' },
      { path: 'input.id', message: '"Id" must be a number, not a text' },
      { path: 'input.mail', message: /must be an email address/ },
      { path: 'input.maill', message: 'There is no field "maill"; did you mean "mail"?' },
    ],
  });
  t.match(await prepare(scene, 'start', {}), {
    ok: false,
    problems: [{ message: '"Mode" is required' }, { message: '"Id" is required' }],
  });
  t.match(await prepare(scene, 'task', { x: 1 }), { ok: false, problems: [{ path: 'input.x' }] });
  t.match(await prepare(scene, 'start', [1]), { ok: false, problems: [{ path: 'input' }] });
});

t.test('only an action that the viewer has can be prepared', async (t) => {
  const scene = createWidgetScene(t);
  const notFound = { code: 'NOT_FOUND' };
  await t.rejects(prepare(scene, 'task', {}, true), notFound, 'without allow_public');
  await t.rejects(prepare(scene, 'inner', {}, true), notFound, 'on a private page');
  await t.rejects(prepare(scene, 'nothing', {}), notFound);
  await t.rejects(prepare(scene, 'gone', {}), notFound, 'hidden now');
  await t.rejects(prepare(scene, 'stat', {}), {
    code: 'VALIDATION_ERROR',
    message: /is a stat, not an action/,
  });
  await t.rejects(prepare(scene, 'idle', {}), { code: 'UNPROCESSABLE', message: /has no "run"/ });
  await t.rejects(prepare(scene, 'wrong', {}), { name: 'ExpressionError' });
});
