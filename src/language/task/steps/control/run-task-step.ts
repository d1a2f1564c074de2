import { callArgs } from '../../../declare/connector-call.ts';
import { alwaysIdle, type Rule } from '../../../declare/rules.ts';
import { authorsMap, text, texts } from '../../../declare/values.ts';
import { nameProblem } from '../../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { didYouMean } from '../../../yaml/suggest-name.ts';
import { NO_RETRY } from '../../retry-policy.ts';
import { type StepOf, stepKind } from '../step-kind.ts';

export type RunTaskStep = StepOf<typeof runTaskStep>;

const NAME_CHARS_MAX = 200;
const NAMES = texts('');
/** What `set_state` keeps is saved under this name, and what a task keeps that is run by a step under the step's. */
const RESERVED_ID = 'state';

/** An absent local name is the caller's of the same name. */
const CONNECTORS = authorsMap(
  'The connector of this task for each of the other’s, written as `its_name: own_name`. Default: the one of the same name.',
  { type: 'string' },
  (reader, key) => {
    const declared = reader.check.declared('connectors');
    const connectors = NAMES.read(reader, key);
    for (const [local, name] of Object.entries(connectors)) {
      const problem = nameProblem(local, 'word');
      if (problem !== null) reader.check.add(reader.at(key, local), problem, 'key');
      if (declared === null || declared.includes(name)) continue;
      const hint = didYouMean(name, declared) || '; declare it under "connectors"';
      reader.check.add(reader.at(key, local), `There is no connector "${name}"${hint}`);
    }
    return connectors;
  },
  'word',
);

const ID: Rule = {
  check: (reader) => {
    if (reader.value('id') === RESERVED_ID)
      reader.wrong('id', `"${RESERVED_ID}" is where values of "set_state" are kept; choose another id`);
  },
  schemas: () => [{ properties: { id: { not: { const: RESERVED_ID } } } }],
};

/** `run_task`: another task, from its first step to its last. */
export const runTaskStep = stepKind({
  kind: 'run_task',
  words:
    'Runs another task and waits for its end, in the same run: its steps are shown as `<id>/<step>`, expressions read its `outputs` as `steps.<id>.output`. Its `retry` runs it again in this step; its `timeout` is that of one attempt, its `deadline` counts from its start here; its `labels` must be those of this task too; a task with `concurrency` is refused. What is measured of it belongs to this run, by the `metrics` of this task.',
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  keys: {
    task: text('The name of the task.', { required: true, charsMax: NAME_CHARS_MAX }),
    args: callArgs('Arguments of the task; texts may hold `{{ expression }}`.', TASK_NAMES),
    connectors: CONNECTORS,
  },
  rules: [alwaysIdle(['retry'], 'the task and its steps have retries of their own'), ID],
});
