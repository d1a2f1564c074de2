import { z } from 'zod';
import { schemaWords } from '../base/text/schema-words.ts';
import { didYouMean } from '../base/text/suggest-name.ts';
import type { ArgumentProblem, KnownAs } from '../language/connector-types.ts';
import { typeName } from '../language/yaml/map-reader.ts';
import { formatPath, type Path } from '../language/yaml/yaml-path.ts';
import type { Method } from './driver.ts';

type Issue = z.core.$ZodIssue;

/**
 * What is wrong with the arguments of a method as a document has them. `knownAs` says of a value whether it is what it says; where an
 * expression stands for it, its type and form are known when it runs, and only its name is checked here.
 */
export function argumentProblems(
  { name, args: schema }: Pick<Method, 'name' | 'args'>,
  args: unknown,
  knownAs: (value: unknown) => KnownAs,
): readonly ArgumentProblem[] {
  const parsed = schema.safeParse(args);
  if (parsed.success) return [];
  const issues = parsed.error.issues.filter((issue) => isKnown(issue, [], args, knownAs));
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return issues.flatMap((issue) => problemsOf(issue, args, name, keys));
}

/** Whether an issue holds whatever the expressions among the arguments give. */
function isKnown(issue: Issue, before: Path, args: unknown, knownAs: (value: unknown) => KnownAs): boolean {
  const path = [...before, ...(issue.path as Path)];
  const known = knownOnTheWay(path, args, knownAs);
  if (known === 'anything') return false;
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.map((errors) => errors.filter((one) => isKnown(one, path, args, knownAs)));
    return branches.every((errors) => errors.length > 0);
  }
  if (issue.code === 'invalid_type' || issue.code === 'unrecognized_keys') return true;
  return known === 'itself' && !holdsUnknown(valueAt(args, path), knownAs);
}

/** The least that is known of the values along a path. */
function knownOnTheWay(path: Path, args: unknown, knownAs: (value: unknown) => KnownAs): KnownAs {
  const all = path.map((_, index) => knownAs(valueAt(args, path.slice(0, index + 1))));
  return all.includes('anything') ? 'anything' : (all.find((known) => known !== 'itself') ?? 'itself');
}

function holdsUnknown(value: unknown, knownAs: (value: unknown) => KnownAs): boolean {
  if (value === null || typeof value !== 'object') return knownAs(value) !== 'itself';
  return Object.values(value).some((item) => holdsUnknown(item, knownAs));
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const part of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, part)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[part];
  }
  return at;
}

function problemsOf(
  issue: Issue,
  args: unknown,
  method: string,
  keys: readonly string[],
): readonly ArgumentProblem[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const candidates = path.length === 0 ? keys : [];
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `${unknownArgument(method, key, path)}${hintOf(key, candidates)}`,
      part: 'key',
    }));
  }
  const value = valueAt(args, path);
  // What is not there has no place of its own.
  const absent = value === undefined;
  return [{ path: absent ? path.slice(0, -1) : path, message: messageOf(issue, value, formatPath(path)) }];
}

function unknownArgument(method: string, key: string, path: Path): string {
  return path.length === 0
    ? `"${method}" has no argument "${key}"`
    : `Unknown key "${key}" in "${formatPath(path)}"`;
}

function hintOf(key: string, candidates: readonly string[]): string {
  const others = candidates.length === 0 ? '' : `; there are ${candidates.join(', ')}`;
  return didYouMean(key, candidates) || others;
}

function messageOf(issue: Issue, value: unknown, name: string): string {
  if (value === undefined && issue.code !== 'custom') return `The argument "${name}" is required`;
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const hint = didYouMean(value, issue.values.map(String));
    return `"${name}"${schemaWords(issue, shown(value))}${hint}`;
  }
  return `"${name}"${schemaWords(issue, shown(value))}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' && value.length <= 100 ? `"${value}"` : typeName(value);
}
