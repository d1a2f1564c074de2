import { isRecord } from '../../base/json.ts';

const INDENT = '  ';
/** What no reader of YAML takes for anything but text. */
const PLAIN = /^[A-Za-z][\w-]*(?:[ ./][\w-]+)*$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** Characters that JSON leaves as they are, and YAML or an editor does not show. */
const UNSHOWN = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const SHOWN =
  /^[\t\n\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;
const CHARS_OF_A_LINE_MAX = 80;

/**
 * The lines of `key: value` in block style, for any JSON value. Of our own making, and not a library's: the same value gives the same
 * bytes in every version, keys are in alphabetical order, and texts of several lines are kept as they are, so that a
 * difference in them is a difference of lines. `loadYaml` reads back exactly what was given.
 */
export function entryLines(key: string, value: unknown, indent: string): string[] {
  const head = `${indent}${scalarText(key)}:`;
  if (typeof value === 'string') return textLines(head, value, indent);
  if (Array.isArray(value) && value.length > 0)
    return [head, ...value.flatMap((item) => itemLines(item, indent + INDENT))];
  if (isRecord(value) && Object.keys(value).length > 0) return [head, ...mapLines(value, indent + INDENT)];
  return [`${head} ${leafText(value)}`];
}

/** The lines of one list item, `- ` before its first. */
export function itemLines(value: unknown, indent: string): string[] {
  if (Array.isArray(value) && value.length > 0)
    return dashed(
      value.flatMap((item) => itemLines(item, indent + INDENT)),
      indent,
    );
  if (isRecord(value) && Object.keys(value).length > 0)
    return dashed(mapLines(value, indent + INDENT), indent);
  return [`${indent}- ${leafText(value)}`];
}

/** Puts the dash of a list item over the blanks before its first line. */
export function dashed(lines: readonly string[], indent: string): string[] {
  const [first = '', ...rest] = lines;
  return [`${indent}- ${first.slice(indent.length + INDENT.length)}`, ...rest];
}

function mapLines(map: Readonly<Record<string, unknown>>, indent: string): string[] {
  return Object.keys(map)
    .sort()
    .flatMap((key) => entryLines(key, map[key], indent));
}

function leafText(value: unknown): string {
  if (typeof value === 'string') return scalarText(value);
  return JSON.stringify(value ?? null);
}

function scalarText(text: string): string {
  if (text.length <= CHARS_OF_A_LINE_MAX && PLAIN.test(text) && !RESERVED.test(text)) return text;
  const asEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(UNSHOWN, asEscape);
}

function textLines(head: string, text: string, indent: string): string[] {
  const header = text.includes('\n') ? blockHeader(text) : null;
  if (header === null) return [`${head} ${scalarText(text)}`];
  const body = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return [`${head} ${header}`, ...body.map((line) => (line === '' ? '' : indent + INDENT + line))];
}

/** How a literal block begins that gives exactly this text; null where none does. */
function blockHeader(text: string): string | null {
  if (!SHOWN.test(text) || !/[^\s]/.test(text)) return null;
  const [, tail = ''] = /(?:^|[^\n])(\n*)$/.exec(text) ?? [];
  const lastLine =
    text
      .slice(0, text.length - tail.length)
      .split('\n')
      .at(-1) ?? '';
  if (lastLine.trim() === '') return null;
  const indicator = /^[ \t\n]/.test(text) ? '2' : '';
  return `|${indicator}${tail.length === 0 ? '-' : tail.length === 1 ? '' : '+'}`;
}
