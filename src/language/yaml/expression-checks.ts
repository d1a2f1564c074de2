import { didYouMean } from '../../base/text/suggest-name.ts';
import type { Read } from '../expression/find-reads.ts';
import {
  type Arity,
  arityOf,
  type CallTypes,
  FUNCTION_SIGNATURES,
  mayFit,
  parametersOf,
  type SignatureParameter,
  type TypeLetter,
} from '../expression/function-signatures.ts';
import type { Inspection, NamedCall } from '../expression/inspect-expression.ts';
import type { DeclaredKind, DocumentCheck } from './document-check.ts';
import type { Path } from './yaml-path.ts';

/** What every document has below these names. Below `steps.<id>`: `STEP_MEMBERS`. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  job: ['id', 'name', 'description', 'status'],
  run: ['id', 'attempt', 'first_id', 'task_key', 'scheduled_for', 'interval_start', 'interval_end'],
};
const STEP_MEMBERS = ['count', 'status', 'output'];

/** Names whose members the document itself declares, and what one of these is called. */
const DECLARED: Readonly<Record<string, { readonly kind: DeclaredKind; readonly noun: string }>> = {
  args: { kind: 'args', noun: 'argument' },
  connectors: { kind: 'connectors', noun: 'connector' },
  filter: { kind: 'filter', noun: 'filter' },
  job_config: { kind: 'job_config', noun: 'entry' },
  state: { kind: 'state', noun: 'value' },
  steps: { kind: 'steps', noun: 'step' },
};

/**
 * Reports what an expression that parses cannot find when it runs: functions that there are not, or that take another number of
 * arguments, variables that nothing binds and, where `declares` is true, names below those of its place that the document does not
 * declare. Nothing in a stored document.
 */
export function checkExpression(
  check: DocumentCheck,
  path: Path,
  { calls, variables, reads }: Inspection,
  declares: boolean,
): void {
  if (!check.checksExpressions) return;
  for (const call of calls) {
    const problem = callProblem(call);
    if (problem !== null) check.add(path, problem);
  }
  for (const name of variables) {
    if (!FUNCTION_SIGNATURES.has(name)) check.add(path, variableProblem(name));
  }
  const deep = reads.filter((read) => read.length > 1);
  if (!declares || deep.length === 0) return;
  check.atLast(() => {
    for (const problem of new Set(deep.map((read) => readProblem(check, read)))) {
      if (problem !== null) check.add(path, problem);
    }
  });
}

function callProblem({ name, argumentCount, partial, types }: NamedCall): string | null {
  const signature = FUNCTION_SIGNATURES.get(name);
  if (signature === undefined) return `There is no function "$${name}"${functionHint(name)}`;
  const arity = arityOf(signature);
  const [min, max] = arity;
  if (argumentCount > max || (argumentCount < min && !partial))
    return `"$${name}" takes ${arityWords(arity)}, not ${argumentCount}`;
  const known = types();
  if (partial || mayFit(signature, known)) return null;
  const takes = `"$${name}" takes ${parametersOf(signature).map(parameterWords).join(', ')}`;
  const wrong = known.args.findIndex((type, at) => type !== null && mayFit(signature, without(known, at)));
  if (wrong !== -1) return `${takes}; argument ${wrong + 1} is a ${TYPE_WORDS[known.args[wrong] ?? 's']}`;
  return `${takes}; the first can be left out only after a dot, as in "item.value.$${name}(…)"`;
}

/** The same call, of which one argument's type is not known. */
function without({ args, context }: CallTypes, at: number): CallTypes {
  return { args: args.map((type, index) => (index === at ? null : type)), context };
}

const TYPE_WORDS: Readonly<Record<TypeLetter, string>> = {
  s: 'string',
  n: 'number',
  b: 'boolean',
  l: 'null',
  o: 'object',
  a: 'list',
  f: 'function',
};

function parameterWords({ letters, isOptional, isMany }: SignatureParameter): string {
  const words =
    letters.length > Object.keys(TYPE_WORDS).length - 2
      ? 'any value'
      : letters.map((letter) => TYPE_WORDS[letter]).join(' or ');
  return `${isOptional ? 'optionally ' : ''}${words}${isMany ? ' or several' : ''}`;
}

function arityWords([min, max]: Arity): string {
  if (max === 0) return 'no arguments';
  const count =
    min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  return `${count} argument${count === '1' || count === 'at least 1' ? '' : 's'}`;
}

function variableProblem(name: string): string {
  return `Undefined variable "$${name}"${functionHint(name) || `; names are read without "$": ${name}`}`;
}

/** The function that is most likely meant: one with a similar name, or one that begins with it. */
function functionHint(name: string): string {
  const names = [...FUNCTION_SIGNATURES.keys()].map((known) => `$${known}`);
  const longer = name.length < 3 ? undefined : names.find((known) => known.startsWith(`$${name}`));
  return longer === undefined ? didYouMean(`$${name}`, names) : `; did you mean "${longer}"?`;
}

function readProblem(check: DocumentCheck, [root, member = '', deeper]: Read): string | null {
  const fixed = Object.hasOwn(MEMBERS, root) ? MEMBERS[root] : undefined;
  if (fixed !== undefined) return memberProblem(root, member, fixed);
  const declared = Object.hasOwn(DECLARED, root) ? DECLARED[root] : undefined;
  const names = declared === undefined ? null : check.declared(declared.kind);
  if (declared === undefined || names === null || names.some((name) => check.isPlaceholder(name)))
    return null;
  if (!names.includes(member)) {
    const listed = names.length === 0 ? '; none is declared' : `; declared: ${names.join(', ')}`;
    const others = names.length > 20 ? '' : listed;
    return `There is no ${declared.noun} "${member}" to read as "${root}.${member}"${didYouMean(member, names) || others}`;
  }
  if (deeper === undefined) return null;
  if (root === 'steps') return memberProblem(`steps.${member}`, deeper, STEP_MEMBERS);
  const fields = root === 'job_config' ? check.declared(`job_config.${member}`) : null;
  return fields === null ? null : memberProblem(`job_config.${member}`, deeper, fields);
}

function memberProblem(of: string, member: string, members: readonly string[]): string | null {
  if (members.includes(member)) return null;
  const others = `; there ${members.length === 1 ? 'is' : 'are'} ${members.join(', ')}`;
  return `There is no "${of}.${member}"${didYouMean(member, members) || others}`;
}
