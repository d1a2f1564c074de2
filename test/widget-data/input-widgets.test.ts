import t from 'tap';
import { createWidgetScene } from './fixtures/widget-scene.ts';

const YAML = `
widgets:
  - { id: source, type: form, submit_label: Save }
  - { id: map, type: field_mapping, config_key: fields }
  - { id: gone, type: form, config_key: nothing }
  - { id: idle, type: action, label: Idle, allow_public: true }
  - { id: no_task, type: action, label: No task, allow_public: true, run: { task: secret_task } }
  - { id: no_call, type: action, label: No call, allow_public: true, run: { connector: secret_connector, method: list } }
  - { id: task, type: action, label: Task, run: { task: load } }
  - { id: load, type: task_progress }
  - { id: other, type: task_progress, task_key: lod }
  - { id: go, type: action, label: Go, allow_public: true, run: { job: true }, input: [{ key: mode, type: select, required: true, default: all, options: [{ label: All, value: all }, { label: One, value: one }] }, { key: only, type: text, hide_if_expr: "mode = 'all'" }, { key: who, type: select, options_source: { connector: secret_connector, method: secret_method, value_expr: item.secret, search: { param: secret } } }] }
`;

const FORM = {
  type: 'form',
  title: 'Source',
  fields: [
    { key: 'mode', label: 'Mode', type: 'select', required: true, options: [{ label: 'All', value: 'all' }] },
    { key: 'since', type: 'text', hide_if_expr: "mode = 'all' and job_config.secret_flag" },
    { key: 'mail', type: 'text', format: 'email', default: 'a@b.co' },
    {
      key: 'city',
      type: 'select',
      depends_on: ['mode'],
      options_source: {
        connector: 'secret_connector',
        method: 'secret_method',
        args: { secret: 1 },
        value_expr: 'item.secret',
        search: { param: 'secret.q' },
      },
    },
    {
      key: 'tags',
      type: 'multi_select',
      options_source: {
        connector: 'secret_connector',
        method: 'secret_method',
        value_expr: 'item.secret',
        search: { on_frontend: true },
      },
    },
  ],
};

const MAPPING = {
  type: 'field_mapping',
  title: 'Fields',
  allow_transform: true,
  validation_expr: '$count(value) > 0 and secret',
  source: {
    options_source: { connector: 'secret_connector', method: 'secret_method', value_expr: 'secret' },
  },
};

const job_config = {
  source: { mode: 'all', city: 'Bonn', stray: 'secret' },
  secret_flag: true,
  fields: [
    { source_field: 'a', target_field: 'b', transform: 'item.secret' },
    { source_field: 'c', target_field: 'd', transform: null },
  ],
};

function scene(t: Parameters<typeof createWidgetScene>[0]) {
  const made = createWidgetScene(t);
  return { ...made, context: { ...made.context, job_config } };
}

t.test('a form shows its fields and values, and nothing of where options come from', async (t) => {
  const { widget, context } = scene(t);
  const entry = { key: 'source', schema: FORM, version: 4 };
  const payload = (await widget(YAML, 'source', { entry, context, inputRefusal: null })) as {
    schema: { fields: Record<string, unknown>[] };
  };
  const plain = { required: false, default: null, format: null, depends_on: [], hidden: false };
  t.same(payload, {
    schema: {
      title: 'Source',
      description: null,
      fields: [
        {
          ...plain,
          key: 'mode',
          label: 'Mode',
          type: 'select',
          required: true,
          options: [{ label: 'All', value: 'all' }],
          options_source: null,
        },
        {
          ...plain,
          key: 'since',
          label: 'since',
          type: 'text',
          hidden: true,
          options: null,
          options_source: null,
        },
        {
          ...plain,
          key: 'mail',
          label: 'mail',
          type: 'text',
          default: 'a@b.co',
          format: 'email',
          options: null,
          options_source: null,
        },
        {
          ...plain,
          key: 'city',
          label: 'city',
          type: 'select',
          depends_on: ['mode'],
          options: null,
          options_source: { search: 'server' },
        },
        {
          ...plain,
          key: 'tags',
          label: 'tags',
          type: 'multi_select',
          options: null,
          options_source: { search: 'page' },
        },
      ],
    },
    values: { mode: 'all', city: 'Bonn' },
    version: 4,
    readonly: false,
    reason: null,
  });
  t.notMatch(JSON.stringify(payload), /secret|expr|connector|method|args/);
  t.match(
    await widget(YAML, 'source', { entry, context, inputRefusal: 'Ask an operator', publicView: true }),
    {
      readonly: true,
      reason: 'Ask an operator',
    },
  );
});

t.test('a mapping shows its rows; strangers see no expression', async (t) => {
  const { widget, context } = scene(t);
  const entry = { key: 'fields', schema: MAPPING, version: 2 };
  const payload = await widget(YAML, 'map', { entry, context });
  t.same(payload, {
    schema: {
      title: 'Fields',
      description: null,
      allow_transform: true,
      source: { search: 'none' },
      target: null,
    },
    rows: job_config.fields,
    version: 2,
    readonly: false,
    reason: null,
  });
  const seen = await widget(YAML, 'map', { entry, context, publicView: true });
  t.match(seen, { schema: { allow_transform: false } });
  t.same((seen as { rows: unknown }).rows, [
    { source_field: 'a', target_field: 'b', transform: null, has_transform: true },
    { source_field: 'c', target_field: 'd', transform: null },
  ]);
  t.notMatch(JSON.stringify(seen), /secret/);
});

t.test('an entry that is not there, or of the other type, is told inline with its key', async (t) => {
  const { widget, context } = scene(t);
  t.match(await widget(YAML, 'gone', { entry: null, context }), {
    error: /no configuration "nothing"/,
  });
  t.match(await widget(YAML, 'map', { context }), { error: /no configuration "fields"/ });
  const mapping = { key: 'source', schema: MAPPING, version: 1 };
  t.match(await widget(YAML, 'source', { entry: mapping, context }), {
    error: 'The configuration "source" is a field_mapping, not a form',
  });
  const form = { key: 'fields', schema: FORM, version: 1 };
  t.match(await widget(YAML, 'map', { entry: form, context }), {
    error: /"fields" is a form, not a field_mapping/,
  });
  const throwing = { ...FORM, fields: [{ key: 'a', type: 'text', hide_if_expr: "$number('x') = 1" }] };
  t.match(await widget(YAML, 'source', { entry: { key: 'source', schema: throwing, version: 1 }, context }), {
    error: /An expression failed/,
  });
});

t.test('an action says whether it may act, and what became of its latest use', async (t) => {
  const { widget, context } = scene(t);
  const lastAction = {
    acted_at: '2026-01-01T00:00:00.000Z',
    outcome: 'started',
    cooldown_until: null,
    job_run_id: 9,
    status: 'running',
  } as const;
  const payload = (await widget(YAML, 'go', { context, lastAction })) as Record<string, unknown>;
  t.match(payload, {
    enabled: true,
    reason: null,
    last_run: { at: lastAction.acted_at, outcome: 'started', status: 'running', job_run_id: 9 },
    cooldown_until: null,
    fields: [
      { key: 'mode', default: 'all' },
      { key: 'only', hidden: true },
      { options_source: { search: 'server' } },
    ],
  });
  t.notMatch(JSON.stringify(payload), /secret|expr/);
  t.match(await widget(YAML, 'go', { context }), { enabled: true, last_run: null });
  const cooling = { ...lastAction, cooldown_until: '2026-01-01T00:01:00.000Z' };
  t.match(await widget(YAML, 'go', { context, lastAction: cooling }), {
    enabled: false,
    reason: /wait/,
    cooldown_until: cooling.cooldown_until,
  });
  const stranger = { context, lastAction, publicView: true, inputRefusal: 'Input is switched off' };
  const seen = (await widget(YAML, 'go', stranger)) as { last_run: object };
  t.match(seen, { enabled: false, reason: 'Input is switched off' });
  t.notOk('job_run_id' in seen.last_run);
});

t.test(
  'an action that could do nothing says so, and a task that is not there is no task without runs',
  async (t) => {
    const scene = createWidgetScene(t);
    const taskKeys = ['load'];
    const reasonOf = async (id: string, publicView: boolean) => {
      const payload = (await scene.widget(YAML, id, { taskKeys, publicView })) as Record<string, unknown>;
      t.equal(payload['enabled'], payload['reason'] === null);
      return payload['reason'];
    };
    t.match(await reasonOf('idle', false), /has no "run"/);
    t.equal(await reasonOf('no_task', false), 'The job has no task "secret_task"');
    t.equal(await reasonOf('no_call', false), 'There is no connector "secret_connector"');
    t.equal(await reasonOf('task', false), null);
    for (const id of ['idle', 'no_task', 'no_call'])
      t.equal(await reasonOf(id, true), 'It cannot be used right now', 'strangers are told no names');
    t.same(await scene.widget(YAML, 'load', { taskKeys }), { run: null });
    t.same(await scene.widget(YAML, 'other', { taskKeys }), { error: 'The job has no task "lod"' });
  },
);
