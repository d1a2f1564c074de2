import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { connectorType } from '../declare/connector-fit.ts';
import { commonDefinitions, type JsonSchema } from '../declare/json-schema.ts';
import { entriesOf, map, readMapOf, submap } from '../declare/map.ts';
import { special, type Value } from '../declare/value.ts';
import { authorsMap, duration } from '../declare/values.ts';
import type { Template } from '../expression/template-string.ts';
import { type ParseOptions, parseDocument } from '../yaml/document-check.ts';
import { readTemplate } from '../yaml/expression-reader.ts';
import { TASK_NAMES } from '../yaml/scope-names.ts';
import { ARGUMENTS } from './arguments.ts';
import { headerKeys, runLimit } from './document-keys.ts';
import { NO_RETRY, retry } from './retry-policy.ts';
import { DEFAULTS } from './steps/control/step-defaults.ts';
import { allSteps, cleanupList, STEPS, type Step, settleSteps, stepDefinitions } from './steps/steps.ts';
import { METRICS } from './task-metrics.ts';
import { TESTS } from './task-tests.ts';

/** A checked task document. Every expression in it is compiled, and `needs` of each step is settled; times are milliseconds. */
export type Task = ReturnType<(typeof TASK)['from']>;

export type ParsedTask =
  | { readonly ok: true; readonly task: Task }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const CONNECTORS = entriesOf(
  'The connectors used by the task, by local names. They are bound by the job, or when the task is started.',
  map('A connector used by the task.', {
    type: connectorType('The type of the connector, such as `postgres` or `csv`.'),
  }),
  { kind: 'word', declares: 'connectors' },
);

const LIMIT = runLimit('Maximum concurrent runs of the task.');
const LIMIT_MAP = map('A map with `limit`.', { limit: LIMIT }, { make: ({ limit }) => limit });

/** `concurrency: N` or `concurrency: {limit: N}`. */
const CONCURRENCY = special(
  'Maximum concurrent runs of the task: a number, or a map with `limit`. Default: unlimited.',
  (options) => ({ anyOf: [LIMIT.schema(options), LIMIT_MAP.schema(options)] }),
  (reader, key) => {
    if (!reader.has(key)) return null;
    return isRecord(reader.value(key)) ? submap(LIMIT_MAP).read(reader, key) : LIMIT.read(reader, key);
  },
);

/** `outputs`: values by the author's names. */
const OUTPUTS: Value<Readonly<Record<string, Template>>> = authorsMap(
  'Named results of the run: shown in its record, and available as `steps.<id>.output` to a task that runs this one. Computed after its steps have succeeded; texts may hold `{{ expression }}`.',
  {},
  (reader, key) => {
    const entries = reader.entries(key, 'word');
    const { check } = reader;
    return Object.fromEntries(
      entries.map(([name, value]) => [name, readTemplate(check, value, reader.at(key, name), TASK_NAMES)]),
    );
  },
  'word',
);

const TASK = map(
  'Moves data in steps, each of one kind: extract, transform, sql, load, call, assert, log, sleep, stop, set_state; foreach, branch and parallel, which contain steps; and run_task, which runs another task.',
  {
    ...headerKeys('task'),
    connectors: CONNECTORS,
    args: ARGUMENTS,
    timeout: duration('Timeout of a run.', { absent: 'none' }),
    deadline: duration('Runs that have not finished this long after their creation are cancelled.', {
      absent: 'none',
    }),
    retry: retry('Retries of the whole run after transient failures. Default: one attempt.'),
    concurrency: CONCURRENCY,
    metrics: METRICS,
    defaults: DEFAULTS,
    steps: STEPS,
    on_failure: cleanupList(
      'Steps to run when the task has failed, before `finally`; not after a cancel. Expressions can read `failure {code, message, step_id}`.',
    ),
    finally: cleanupList(
      'Steps to run at the end of every run, whether it succeeded, failed or was cancelled. Expressions can read `failure`, which is null after success.',
    ),
    outputs: OUTPUTS,
    tests: TESTS,
  },
  {
    title: 'Headgate task',
    make: ({ timeout, deadline, defaults, on_failure, finally: atEnd, ...values }, { check }) => {
      const lists = [values.steps, on_failure, atEnd];
      const [steps = [], onFailure = [], lastly = []] = settleSteps(check, lists, defaults);
      return {
        ...values,
        steps,
        onFailure,
        finally: lastly,
        timeoutMs: timeout,
        deadlineMs: deadline,
        retry: values.retry ?? NO_RETRY,
        tests: (values.tests ?? []).map((test) => test(allSteps(steps))),
      };
    },
  },
);

/** Every step of a task, in all of its lists and those inside them. */
export function everyStep({ steps, onFailure, finally: lastly }: Task): readonly Step[] {
  return [steps, onFailure, lastly].flatMap(allSteps);
}

/** The schema of a task's YAML. */
export function taskSchema(): JsonSchema {
  const options = { variables: false };
  return { ...TASK.schema(options), $defs: { ...commonDefinitions(options), ...stepDefinitions(options) } };
}

/**
 * Parses a task's YAML and compiles every expression in it. Never throws: all problems come at once, each with path, line and
 * column.
 */
export function parseTask(text: string, options: ParseOptions = {}): ParsedTask {
  const parsed = parseDocument(text, (check, value) => readMapOf(check, value, [], TASK), options);
  return parsed.ok ? { ok: true, task: parsed.value } : parsed;
}
