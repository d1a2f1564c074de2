import { isRecord } from '../../../../base/json.ts';
import { has, is, when, without } from '../../../declare/json-schema.ts';
import type { Rule } from '../../../declare/rules.ts';
import type { Value } from '../../../declare/value.ts';
import { authorsMap, duration, integer, names, oneOf, text } from '../../../declare/values.ts';
import type { Template } from '../../../expression/template-string.ts';
import { readTemplate } from '../../../yaml/expression-reader.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { NO_RETRY } from '../../retry-policy.ts';
import { type StepOf, stepKind } from '../step-kind.ts';
import { codeLine, codeProblem, SCRIPT_LANGUAGES, type ScriptLanguage } from './script-check.ts';
import { CODE_CHARS_MAX, ONE_CODE, SCRIPT_FILE } from './script-file.ts';
import {
  dependencyProblem,
  PACKAGES_LOCK,
  PYTHON_LOCK,
  packagesLockProblem,
  pythonLockProblem,
  REQUIREMENT,
} from './script-lock.ts';

export type ScriptStep = StepOf<typeof scriptStep>;

const LOCK_CHARS_MAX = 200_000;
const CONCURRENCY_MAX = 16;
const ITEM_TIMEOUT_MS = 60_000;

/** `args`: values that the function reads. */
const ARGS: Value<Readonly<Record<string, Template>>> = authorsMap(
  'Values passed to the function as `args` of its second parameter; texts may hold `{{ expression }}`.',
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
    const [given, language] = [reader.value('file'), reader.value('language') ?? 'javascript'];
    const file = isRecord(given) ? given : null;
    const code = file === null ? reader.value('code') : file['code'];
    if (typeof code !== 'string' || code === '' || reader.check.isPlaceholder(code)) return;
    if (!SCRIPT_LANGUAGES.some((known) => known === language)) return;
    const problem = codeProblem(code, language as ScriptLanguage);
    if (problem === null) return;
    const line = codeLine(problem.line, file === null ? null : String(file['name']));
    reader.wrong(file === null ? 'code' : 'file', `The code cannot be parsed: ${problem.message}${line}`);
  },
  schemas: () => [],
};

/** Dependencies that are pinned, in the language that has them; a version holds what its runs install. */
const PINNED: Rule = {
  check: (reader) => {
    const [language, lock] = [reader.value('language') ?? 'javascript', reader.value('lock')];
    const isPython = language === 'python';
    const key = isPython ? 'dependencies' : 'packages';
    if (isPython) reader.idle('packages', 'Python has "dependencies"');
    else reader.idle('dependencies', 'JavaScript has "packages"');
    if (!reader.has(key)) return reader.idle('lock', `there is no "${key}" beside it`);
    const dependencies = (reader.typed('dependencies', 'a list', Array.isArray) ?? []).map(String);
    for (const [at, dependency] of dependencies.entries()) {
      const problem = isPython ? dependencyProblem(dependency) : null;
      if (problem !== null) reader.check.add(reader.at('dependencies', at), problem);
    }
    if (lock === null)
      return void reader.wrong(
        key,
        `"${key}" needs a "lock" beside it, so that every run uses the same packages; \`headgate lock\` adds it to the file`,
      );
    if (typeof lock !== 'string' || reader.check.isPlaceholder(lock)) return;
    const problem = isPython ? pythonLockProblem(lock, dependencies) : packagesLockProblem(lock);
    if (problem !== null) reader.wrong('lock', problem);
  },
  schemas: () => [
    when(is('language', 'python'), without('packages')),
    when({ not: is('language', 'python') }, without('dependencies')),
    when({ anyOf: [has('dependencies'), has('packages')] }, has('lock')),
    when(has('dependencies'), {
      properties: {
        dependencies: { items: { pattern: REQUIREMENT.source } },
        lock: { pattern: PYTHON_LOCK.source },
      },
    }),
    when(has('packages'), { properties: { lock: { pattern: PACKAGES_LOCK.source } } }),
    when(has('lock'), { anyOf: [has('dependencies'), has('packages')] }),
  ],
};

/** `script`: rows into rows, by code in a process of its own. */
export const scriptStep = stepKind({
  kind: 'script',
  words:
    'Changes rows with a function in JavaScript, TypeScript or Python, in a separate process without environment, files or network, and with limits on time and memory. For what operations and expressions cannot do.',
  takesRows: true,
  givesRows: true,
  retry: NO_RETRY,
  keys: {
    language: oneOf('Language of the code.', SCRIPT_LANGUAGES, { default: 'javascript' }),
    code: text(
      'A module, in the document or in a `file`, whose function receives an item and returns an item, a list of items or nothing to drop it, or yields items. It cannot contain `{{ expression }}`.',
      { charsMax: CODE_CHARS_MAX },
    ),
    file: SCRIPT_FILE,
    function: text(
      'Name of the function. Default: the default export of JavaScript and TypeScript, or `transform`.',
    ),
    args: ARGS,
    dependencies: names(
      'Packages imported by the Python code, with version specifiers, such as `requests>=2.32,<3`; installed exactly as in `lock`, on servers with `SVC_SCRIPT_UV`.',
    ),
    packages: text(
      'Name of the set of npm packages, out of `SVC_SCRIPT_PACKAGES`, that JavaScript or TypeScript may import.',
    ),
    lock: text(
      'Exactly what is installed: for `dependencies` each package as `name==version` with the hashes of its files, for `packages` the digest of their package-lock.json. Written by `headgate lock`.',
      { charsMax: LOCK_CHARS_MAX },
    ),
    concurrency: integer(
      'Number of processes with this code, each with its own module state and memory limit. They take the batches in turn; rows keep their order.',
      { min: 1, max: CONCURRENCY_MAX, default: 1 },
    ),
    item_timeout: duration('Timeout per item; beyond it the step fails.', {
      default: ITEM_TIMEOUT_MS,
    }),
  },
  rules: [ONE_CODE, READABLE, PINNED],
  make: ({ code, file, ...values }) => ({
    ...values,
    code: file?.code ?? code ?? '',
    file: file?.name ?? null,
  }),
});
