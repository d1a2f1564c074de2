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
  'What is kept until the next run, by names of your own: expressions of this run and the next ones read `state.<name>`, which is null before the first. Texts may hold `{{ expression }}`.';

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
        '"state.cursor" is where an extract continues, which only its cursor moves; choose another name',
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
    'Keeps values for the next runs of the task in the same job. They are saved as soon as the step ends, whatever becomes of the run.',
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  keys: { values: VALUES },
});
