import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import { typeName } from '../yaml/map-reader.ts';
import type { Path } from '../yaml/yaml-path.ts';

/** `${NAME}`, or `$${NAME}` for that text itself. */
const VARIABLE = /\$?\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const TEXT_CHARS_MAX = 65_536;
const ADDED_CHARS_MAX = 1_048_576;

/** Tells of something that cannot be put in, at a path of the document. */
type Report = (path: Path, message: string) => void;

interface Substitution {
  readonly vars: Readonly<Record<string, unknown>>;
  readonly report: Report;
  readonly isText: (path: Path) => boolean;
  addedChars: number;
}

/** True for a text that holds a `${NAME}`. */
export function holdsVariable(text: string): boolean {
  return variablesIn(text).length > 0;
}

/** The names of all `${NAME}` in a text. */
export function variablesIn(text: string): readonly string[] {
  const found = [...text.matchAll(VARIABLE)].filter(([whole]) => !whole.startsWith('$$'));
  return found.map(([, name = '']) => name);
}

/** The name in a text that is one `${NAME}` alone, or null. */
export function loneVariable(value: unknown): string | null {
  return (typeof value === 'string' && /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(value)?.[1]) || null;
}

/**
 * A copy of a parsed document with `${NAME}` replaced in its text values, never in keys. Done after parsing, so a variable's text is
 * never read as YAML. A value that is one `${NAME}` alone takes the variable's type, but for `isText`. Variables are texts, numbers,
 * true or false; others, and names that do not exist, are reported.
 */
export function substituteVars(
  value: unknown,
  vars: Readonly<Record<string, unknown>>,
  report: Report,
  isText: (path: Path) => boolean = () => false,
): unknown {
  return substitute(value, [], { vars, report, isText, addedChars: 0 });
}

function substitute(value: unknown, path: Path, state: Substitution): unknown {
  if (typeof value === 'string') return substituteText(value, path, state);
  if (Array.isArray(value)) return value.map((item, index) => substitute(item, [...path, index], state));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, substitute(item, [...path, key], state)]),
  );
}

function substituteText(text: string, path: Path, state: Substitution): unknown {
  if (!text.includes('${')) return text;
  const whole = loneVariable(text);
  if (whole !== null) {
    const found = lookUp(whole, path, state) ?? '';
    const value = state.isText(path) ? String(found) : found;
    if (typeof value === 'string') state.addedChars += value.length;
    return withinBounds(value, path, state);
  }
  const replaced = text.replace(VARIABLE, (found, name: string) => {
    if (found.startsWith('$$')) return found.slice(1);
    if (state.addedChars > ADDED_CHARS_MAX) return '';
    const inserted = String(lookUp(name, path, state) ?? '');
    state.addedChars += inserted.length;
    return inserted;
  });
  return withinBounds(replaced, path, state);
}

function withinBounds<T>(value: T, path: Path, state: Substitution): T | '' {
  if (state.addedChars <= ADDED_CHARS_MAX && (typeof value !== 'string' || value.length <= TEXT_CHARS_MAX))
    return value;
  state.report(path, 'The variables make the document too long; use shorter values');
  return '';
}

/** What is wrong with a `${NAME}` that is none of the arguments. */
export function unknownVariable(name: string, args: readonly string[]): string {
  return `There is no argument "${name}" for "\${${name}}"${didYouMean(name, args)}`;
}

function lookUp(name: string, path: Path, { vars, report }: Substitution): string | number | boolean | null {
  const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
  if (value === undefined) report(path, unknownVariable(name, Object.keys(vars)));
  else if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  )
    return value;
  else
    report(
      path,
      `The argument "${name}" is ${typeName(value)}; only text, numbers, true and false can be inserted`,
    );
  return null;
}
