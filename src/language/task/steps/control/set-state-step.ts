import type { Value } from '../../../declare/value.ts';
import { authorsMap } from '../../../declare/values.ts';
import type { Template } from '../../../expression/template-string.ts';
import { readTemplate } from '../../../yaml/expression-reader.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { NO_RETRY } from '../../retry-policy.ts';
import { type StepOf, stepKind } from '../step-kind.ts';

export type SetStateStep = StepOf<typeof setStateStep>;

/** What `state` has by itself. */
const CURSOR = 'cursor';

const WORDS =
  'Values to keep for later runs, by names you choose: expressions of this and later runs read them as `state.<name>`, null before the first run. Texts may hold `{{ expression }}`.';

/** Values by the author's names, each of them JSON in whose texts `{{ expression }}` may stand. */
const NAMED_VALUES = authorsMap(
  WORDS,
  {},
  (reader, key) => {
    const entries = reader.entries(key, 'word');
    if (!reader.has(key)) reader.wrong(key, `"${key}" is required`);
    const cursor = entries.find(([name]) => name === CURSOR);
    if (cursor !== undefined)
      reader.check.add(
        reader.at(key, CURSOR),
        '"state.cursor" is an extract’s position, which only its cursor may change; choose another name',
        'key',
      );
    return Object.fromEntries(
      entries.map(([name, value]) => [
        name,
        readTemplate(reader.check, value, reader.at(key, name), TASK_NAMES),
      ]),
    );
  },
  'word',
);
const VALUES: Value<Readonly<Record<string, Template>>> = {
  ...NAMED_VALUES,
  required: true,
  schema: (options) => ({ ...NAMED_VALUES.schema(options), not: { required: [CURSOR] } }),
};

/** `set_state`: values that the next run reads. */
export const setStateStep = stepKind({
  kind: 'set_state',
  words:
    'Keeps values for later runs of the task in the same job. They are saved as soon as the step ends, even if the run fails.',
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  keys: { values: VALUES },
});
