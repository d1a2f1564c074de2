import { fittingCall } from '../../../declare/connector-fit.ts';
import { template } from '../../../declare/expressions.ts';
import { has, when, without } from '../../../declare/json-schema.ts';
import { map, submap } from '../../../declare/map.ts';
import { atMostOne, type Rule } from '../../../declare/rules.ts';
import { shown, special, type Value } from '../../../declare/value.ts';
import { flag, integer, name, oneOf, text } from '../../../declare/values.ts';
import type { Scope } from '../../../expression/expression.ts';
import { checkFieldDependencies, type FormField, formFields } from '../../../template/form-field.ts';
import { DASHBOARD_NAMES } from '../../../yaml/scope-names.ts';
import { callKeys } from '../widget-binding.ts';
import { ACTION_RUNS, CONNECTOR_OF_TEMPLATE, taskOfTemplate } from '../widget-fit.ts';
import { widgetKind } from '../widget-kind.ts';
import { type FormFieldView, fieldViews } from './form-widget.ts';
import type { InputState } from './input-view.ts';

/** Where an action runs there is no data, and `value` is the checked input. */
const RUN_NAMES = [...DASHBOARD_NAMES, 'value'];
const TARGETS = ['job', 'task', 'connector'];

const ONE_TARGET: Rule = {
  check: (run) => {
    if (TARGETS.some((target) => run.has(target))) return;
    const message = '"run" must name what runs: "job: true", a "task", or a "connector" with its "method"';
    run.check.add(run.path, message);
  },
  schemas: () => [{ anyOf: TARGETS.map(has) }],
};

const METHOD_OF_CONNECTOR: Rule = {
  check: (run) => {
    if (!run.has('connector')) run.idle('method', 'there is no "connector" beside it');
    else if (!run.has('method')) run.wrong('method', '"method" is required');
  },
  schemas: () => [when(has('connector'), has('method'), without('method'))],
};

/** `run: {job: true}`, `{task: <key>}` or `{connector, method}`, each with `args`. */
const RUN = map(
  'What runs: the job, one of its tasks, or a method of a connector.',
  {
    job: special('Runs the job.', { const: true }, (run, key) => {
      if (run.has(key) && run.value(key) !== true) run.wrong(key, '"job" must be true');
    }),
    task: name('Runs the task with this key in the job.', 'key'),
    ...callKeys(
      {
        connector: 'Calls a method of this connector of the job.',
        args: 'Arguments; texts may hold `{{ expression }}`, which reads the input as `value`.',
      },
      RUN_NAMES,
      false,
    ),
  },
  {
    rules: [
      ONE_TARGET,
      atMostOne(...TARGETS),
      METHOD_OF_CONNECTOR,
      CONNECTOR_OF_TEMPLATE,
      taskOfTemplate('task', { orId: false }),
      fittingCall('an action', ['rows', 'value', 'write']),
    ],
  },
);

const INPUT_FIELDS = formFields('Fields to ask for first; available to the arguments of `run` as `value`.');

const INPUT: Value<unknown> = {
  ...INPUT_FIELDS,
  read: (reader, key) => {
    const fields = INPUT_FIELDS.read(reader, key);
    // Which entries the job will have is not known here, and an action is about its own fields.
    if (fields !== null) checkFieldDependencies(reader.check, reader.at(key), fields, []);
  },
};

const QUESTION = text('The question.');

export const actionWidget = widgetKind({
  type: 'action',
  words: 'A button. Its action is defined here and performed by the server.',
  width: 3,
  bound: false,
  keys: {
    label: shown(text('The label of the button. Default: the title.')),
    style: shown(oneOf('Style of the button.', ['primary', 'secondary', 'danger'], { default: 'primary' })),
    run: submap(RUN),
    input: INPUT,
    confirm: shown(
      special(
        'Asks for confirmation first: `true`, or a question of your own.',
        (options) => ({ anyOf: [{ type: 'boolean' }, QUESTION.schema(options)] }),
        (reader, key) => (typeof reader.value(key) === 'boolean' ? null : QUESTION.read(reader, key)),
      ),
    ),
    allow_public: flag('Whether it is visible and usable with the share link.'),
    success_message: template('Message shown afterwards; may hold `{{ expression }}`.', RUN_NAMES),
    cooldown_seconds: integer('Seconds until it can be used again.', { min: 0, max: 86_400 }),
  },
  rules: [ACTION_RUNS],
});

/** The latest use of an action. */
export interface LastAction {
  readonly acted_at: string;
  readonly outcome: 'started' | 'done' | 'failed';
  /** RFC 3339, or null where it may act again. */
  readonly cooldown_until: string | null;
  readonly job_run_id: number | null;
  /** The status of that job run now. */
  readonly status: string | null;
}

export interface ActionPayload {
  readonly enabled: boolean;
  readonly reason: string | null;
  readonly last_run: {
    readonly at: string;
    readonly outcome: LastAction['outcome'];
    readonly status: string | null;
    /** Left out in the public view. */
    readonly job_run_id?: number | null;
  } | null;
  readonly cooldown_until: string | null;
  /** What it asks for, as the fields of a form. */
  readonly fields: readonly FormFieldView[];
}

export interface ActionInput extends InputState {
  readonly last: LastAction | null;
  readonly fields: readonly FormField[];
  /** What `hide_if_expr` of the fields reads before anything is filled in. */
  readonly scope: Scope;
}

const COOLING_DOWN = 'It was used recently; wait until it can be used again';

/** Whether an action may act now, and what became of its latest use. */
export async function actionPayload(input: ActionInput): Promise<ActionPayload> {
  const { last, refusal, publicView } = input;
  const cooldown_until = last?.cooldown_until ?? null;
  const reason = refusal ?? (cooldown_until === null ? null : COOLING_DOWN);
  return {
    enabled: reason === null,
    reason,
    last_run:
      last === null
        ? null
        : {
            at: last.acted_at,
            outcome: last.outcome,
            status: last.status,
            ...(publicView ? {} : { job_run_id: last.job_run_id }),
          },
    cooldown_until,
    fields: await fieldViews(input.fields, input.scope),
  };
}
