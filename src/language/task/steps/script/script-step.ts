import type { Rule } from '../../../declare/rules.ts';
import type { Value } from '../../../declare/value.ts';
import { authorsMap, duration, oneOf, text } from '../../../declare/values.ts';
import type { Template } from '../../../expression/template-string.ts';
import { readTemplate } from '../../../yaml/expression-reader.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { NO_RETRY } from '../../retry-policy.ts';
import { type StepOf, stepKind } from '../step-kind.ts';
import { codeProblem, SCRIPT_LANGUAGES, type ScriptLanguage } from './script-check.ts';

export type ScriptStep = StepOf<typeof scriptStep>;

const CODE_CHARS_MAX = 50_000;
const ITEM_TIMEOUT_MS = 60_000;

/** `args`: values that the function reads. */
const ARGS: Value<Readonly<Record<string, Template>>> = authorsMap(
  'Values that the function reads as `args` of its second parameter; texts may hold `{{ expression }}`.',
  {},
  (reader, key) =>
    Object.fromEntries(
      reader
        .entries(key)
        .map(([name, value]) => [name, readTemplate(reader.check, value, reader.at(key, name), TASK_NAMES)]),
    ),
);

/** Code that its language can read; asked where a document is to be saved, since the parser of TypeScript is large. */
const READABLE: Rule = {
  check: (reader) => {
    if (reader.check.connectorTypes === null) return;
    const [code, language] = [reader.value('code'), reader.value('language') ?? 'javascript'];
    if (typeof code !== 'string' || code === '' || reader.check.isPlaceholder(code)) return;
    if (!SCRIPT_LANGUAGES.some((known) => known === language)) return;
    const problem = codeProblem(code, language as ScriptLanguage);
    if (problem === null) return;
    const line = problem.line === null ? '' : ` (line ${problem.line} of the code)`;
    reader.wrong('code', `The code cannot be read: ${problem.message}${line}`);
  },
  schemas: () => [],
};

/** `script`: rows into rows, by code in a process of its own. */
export const scriptStep = stepKind({
  kind: 'script',
  words:
    'Changes rows with a function in JavaScript, TypeScript or Python, in a process of its own: without the environment, files or network, and with limits of time and memory. For what operations and expressions cannot say.',
  takesRows: true,
  givesRows: true,
  retry: NO_RETRY,
  keys: {
    language: oneOf('What the code is written in.', SCRIPT_LANGUAGES, { default: 'javascript' }),
    code: text(
      'A module whose function gets an item, and gives an item, a list of items, nothing to leave it out, or yields items. It takes no `{{ expression }}`.',
      { required: true, charsMax: CODE_CHARS_MAX },
    ),
    function: text(
      'Name of the function. Default: the default export of JavaScript and TypeScript, or `transform`.',
    ),
    args: ARGS,
    item_timeout: duration('How long one item may take; beyond it the step fails.', {
      default: ITEM_TIMEOUT_MS,
    }),
  },
  later: ['file'],
  rules: [READABLE],
});
