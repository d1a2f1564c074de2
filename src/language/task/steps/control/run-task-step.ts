import { didYouMean } from '../../../../base/text/suggest-name.ts';
import { callArgs } from '../../../declare/connector-call.ts';
import { alwaysIdle, type Rule } from '../../../declare/rules.ts';
import { authorsMap, text, texts } from '../../../declare/values.ts';
import { nameProblem } from '../../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { NO_RETRY } from '../../retry-policy.ts';
import { type StepOf, stepKind } from '../step-kind.ts';

export type RunTaskStep = StepOf<typeof runTaskStep>;

const NAME_CHARS_MAX = 200;
const NAMES = texts('');
/** What `set_state` keeps is saved under this name, and what a task keeps that is run by a step under the step's. */
const RESERVED_ID = 'state';

/** An absent local name is the caller's of the same name. */
const CONNECTORS = authorsMap(
  'Maps the other task’s connectors to this task’s, as `its_name: own_name`. Default: the connector with the same name.',
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
      reader.wrong('id', `"${RESERVED_ID}" is reserved for values of "set_state"; choose another id`);
  },
  schemas: () => [{ properties: { id: { not: { const: RESERVED_ID } } } }],
};

/** `run_task`: another task, from its first step to its last. */
export const runTaskStep = stepKind({
  kind: 'run_task',
  words:
    'Runs another task within the same run and waits for it: its steps are shown as `<id>/<step>`, and expressions can read its `outputs` as `steps.<id>.output`. Its `retry` applies within this step; its `timeout` applies to each attempt, its `deadline` counts from its start here; this task must have its `labels` too; a task with `concurrency` is refused. Its metrics belong to this run and go to the `metrics` of this task.',
  atOnce: 'it is one run of the task; put it into a "foreach" with "concurrency"',
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  keys: {
    task: text('The name of the task.', { required: true, charsMax: NAME_CHARS_MAX }),
    args: callArgs('Arguments of the task; texts may hold `{{ expression }}`.', TASK_NAMES),
    connectors: CONNECTORS,
  },
  rules: [alwaysIdle(['retry'], 'the task and its steps have their own retries'), ID],
});
