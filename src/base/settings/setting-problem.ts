import type { z } from 'zod';
import { isRecord } from '../json.ts';

type Issue = z.core.$ZodIssue;

/** A key that is not a setting, or what is wrong with the value of one. */
export interface SettingIssue {
  /** Levels joined by dots, such as `http.port`; of an unknown key, with that key. */
  readonly path: string;
  readonly text: string;
}

/**
 * What a person reads of an issue, as one sentence per setting that follows its name. Words of our own schemas stay; those of the
 * schema library name types of the code ("expected string, received undefined") and are replaced. `value` is the whole input.
 */
export function settingIssues(issue: Issue, value: unknown): readonly SettingIssue[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [path, key].filter(Boolean).join('.'),
      text: 'is not a setting; docs/reference/settings.md lists them',
    }));
  return [{ path, text: wordsOf(issue, valueAt(value, issue.path)) }];
}

function wordsOf(issue: Issue, given: unknown): string {
  if (given === undefined && issue.code !== 'custom') return 'is not set, and what is set beside it needs it';
  const not = `, not ${shown(given)}`;
  switch (issue.code) {
    case 'invalid_type':
      return isOwn(issue.message)
        ? issue.message
        : `must be ${TYPES[issue.expected] ?? issue.expected}${not}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}${not}`;
    case 'invalid_union':
      return `${ownWordsIn(issue.errors) ?? 'does not have the right form'}${not}`;
    case 'invalid_format':
      if (issue.format === 'url') return `must be an http:// or https:// address${not}`;
      return issue.message;
    case 'too_small':
      return isOwn(issue.message) ? issue.message : 'must not be empty';
    default:
      return issue.message;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a map of settings',
  array: 'a list',
  boolean: 'true or false',
};

/** Of a union, the alternative that says in words of ours what it takes. */
function ownWordsIn(alternatives: readonly (readonly Issue[])[]): string | null {
  const found = alternatives.flat().filter((issue) => issue.code === 'custom' || isOwn(issue.message));
  const [first] = found.toSorted((a, b) => Number(b.code === 'custom') - Number(a.code === 'custom'));
  if (first === undefined) return typesOf(alternatives);
  return first.message.replace(/, not [^,]*$/, '');
}

function typesOf(alternatives: readonly (readonly Issue[])[]): string | null {
  const types = alternatives.flatMap(([first]) =>
    first?.code === 'invalid_type' ? [TYPES[first.expected] ?? first.expected] : [],
  );
  return types.length === 0 ? null : `must be ${types.join(' or ')}`;
}

/** Words of our own begin with a verb; those of the library with one of these. */
function isOwn(message: string): boolean {
  return !/^(Invalid|Too (small|big)|Unrecognized)\b/.test(message);
}

/** Values that may be secret have problems of their own words, which do not show them. */
function shown(given: unknown): string {
  return typeof given === 'string' ? `"${given.slice(0, 100)}"` : JSON.stringify(given).slice(0, 100);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? at[String(key)] : undefined), value);
}
