import { didYouMean } from '../../base/text/suggest-name.ts';
import { inexactNumberWords, isInexactNumber } from '../../base/values/exact-json.ts';
import { expression } from '../declare/expressions.ts';
import { has, is, type JsonSchema, when } from '../declare/json-schema.ts';
import { listOf, map, submap } from '../declare/map.ts';
import { atMostOne, idleWhere, type Rule } from '../declare/rules.ts';
import { shown, special } from '../declare/value.ts';
import { flag, name, names, oneOf, text } from '../declare/values.ts';
import type { DocumentCheck } from '../yaml/document-check.ts';
import { typeName } from '../yaml/map-reader.ts';
import type { Path } from '../yaml/yaml-path.ts';
import { OPTIONS_SOURCE, withLabel } from './options-source.ts';

const TYPES = ['text', 'number', 'boolean', 'select', 'multi_select'] as const;
const SELECTS: readonly string[] = ['select', 'multi_select'];
const VALUE_CHARS_MAX = 10_000;
const SELECTED_MAX = 1_000;
const EMAIL_CHARS_MAX = 254;

export type FormField = ReturnType<(typeof FORM_FIELD)['from']>;

/** What of a field decides which values are right. */
interface FieldRules {
  readonly type: (typeof TYPES)[number];
  readonly format: 'email' | 'url' | null;
  readonly options: readonly { readonly value: string }[] | null;
}

const OPTION = map('A choice.', {
  label: shown(text('The text shown.', { required: true })),
  value: shown(text('The value stored.', { required: true })),
});

const SELECT_HAS_OPTIONS: Rule = {
  check: (reader) => {
    const type = String(reader.value('type'));
    if (SELECTS.includes(type) && !reader.has('options') && !reader.has('options_source'))
      reader.wrong('type', `A field of type ${type} needs "options" or "options_source"`);
  },
  schemas: () => [when(is('type', ...SELECTS), { anyOf: [has('options'), has('options_source')] })],
};

/** Also checked by `fieldValueProblem`, once the field is read. */
const DEFAULT_OF_TYPE: Rule = {
  check: () => undefined,
  schemas: () => {
    const rule = (types: readonly string[], schema: JsonSchema) =>
      when(is('type', ...types), { properties: { default: schema } });
    const chosen = {
      type: ['array', 'null'],
      items: { type: 'string', maxLength: VALUE_CHARS_MAX },
      uniqueItems: true,
      maxItems: SELECTED_MAX,
    };
    return [
      rule(['text', 'select'], { type: ['string', 'null'], maxLength: VALUE_CHARS_MAX }),
      rule(['number'], { type: ['number', 'null'] }),
      rule(['boolean'], { type: ['boolean', 'null'] }),
      rule(['multi_select'], chosen),
    ];
  },
};

export const FORM_FIELD = map(
  'A field of a form.',
  {
    key: shown(
      name('Name of the field in the saved value; unique within the form.', 'key', { required: true }),
    ),
    label: shown(text('The label. Default: the key.')),
    type: shown(oneOf('The type of its value.', TYPES, { required: true })),
    required: shown(flag('Whether a value is required.')),
    default: shown(
      special(
        'The initial value, for new jobs and for fields that an upgrade adds. A field that is emptied stays empty.',
        {},
        (reader, key) => reader.value(key),
      ),
    ),
    format: shown(oneOf('Required format of a text.', ['email', 'url'])),
    depends_on: shown(
      names('Fields, or configuration entries, used by its options or visibility.', {
        default: [],
      }),
    ),
    hide_if_expr: expression('When true, the field is hidden and not required.', null),
    options: listOf('The choices of a select.', OPTION, { min: 1, distinct: ['value', 'option value'] }),
    options_source: submap(OPTIONS_SOURCE, {
      words: 'Where a select gets its choices.',
      ref: 'options_source',
    }),
  },
  {
    title: 'A field',
    rules: [
      SELECT_HAS_OPTIONS,
      idleWhere('type', ['text', 'number', 'boolean'], ['options', 'options_source'], (type) => {
        return `the field is of type ${type}, not a select`;
      }),
      atMostOne('options', 'options_source'),
      idleWhere('type', TYPES.slice(1), ['format'], (type) => {
        return `only text has a format; the field is of type ${type}`;
      }),
      DEFAULT_OF_TYPE,
    ],
    make: ({ depends_on, hide_if_expr, options_source, ...read }, reader) => {
      const field = {
        ...read,
        label: read.label ?? read.key,
        dependsOn: depends_on,
        hideIf: hide_if_expr,
        optionsSource: options_source && withLabel(options_source),
      };
      const problem =
        reader.has('default') && read.type === reader.value('type')
          ? fieldValueProblem(field, read.default)
          : null;
      if (problem !== null) reader.wrong('default', `"default" ${problem}`);
      return field;
    },
  },
);

/** A list of fields, whose keys differ. */
export function formFields<const R extends { readonly required?: boolean }>(
  words: string,
  rules: R = {} as R,
) {
  const list = { min: 1, max: 200, ref: 'form_field', distinct: ['key', 'field key'] } as const;
  return listOf(words, FORM_FIELD, { ...list, ...rules });
}

/**
 * What is wrong with a value of a form field, as the end of a sentence that begins with its name; null where it is right. Values
 * of option sources are only checked for their type: the options live elsewhere.
 */
export function fieldValueProblem(field: FieldRules, value: unknown): string | null {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : `must be a text, not ${typeName(value)}`;
    case 'number':
      return numberProblem(value);
    case 'boolean':
      return typeof value === 'boolean' ? null : `must be true or false, not ${typeName(value)}`;
    case 'select':
      return optionProblem(field, value);
    case 'multi_select':
      return selectionProblem(field, value);
    default:
      return field.type satisfies never;
  }
}

function numberProblem(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return null;
  return isInexactNumber(value) ? inexactNumberWords(value) : `must be a number, not ${typeName(value)}`;
}

function textProblem(field: FieldRules, value: string): string | null {
  if (value.length > VALUE_CHARS_MAX) return `has more than ${VALUE_CHARS_MAX} characters`;
  if (field.format === 'email' && !isEmail(value))
    return `must be an email address, not "${value.slice(0, 100)}"`;
  if (field.format === 'url' && !isWebUrl(value))
    return `must be an http or https URL, not "${value.slice(0, 100)}"`;
  return null;
}

function optionProblem(field: FieldRules, value: unknown): string | null {
  if (typeof value !== 'string') return `must be a text, not ${typeName(value)}`;
  if (value.length > VALUE_CHARS_MAX) return `has more than ${VALUE_CHARS_MAX} characters`;
  if (field.options === null || field.options.some((option) => option.value === value)) return null;
  return `must be one of ${field.options.map((option) => option.value).join(', ')}, not "${value.slice(0, 100)}"`;
}

function selectionProblem(field: FieldRules, value: unknown): string | null {
  if (!Array.isArray(value)) return `must be a list, not ${typeName(value)}`;
  if (value.length > SELECTED_MAX) return `has more than ${SELECTED_MAX} items`;
  if (new Set(value).size < value.length) return 'must not contain an option twice';
  for (const item of value) {
    const problem = optionProblem(field, item);
    if (problem !== null) return `contains an item that ${problem}`;
  }
  return null;
}

/** One address with a dotted domain: what a browser's email input takes, less domains without a dot. */
export function isEmail(text: string): boolean {
  const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
  const form = new RegExp(`^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${label}(?:\\.${label})+$`);
  return text.length <= EMAIL_CHARS_MAX && form.test(text);
}

/** An absolute `http` or `https` URL with a host, without spaces. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);
}

/** Reports every name under `path`.depends_on that is none of `known`. */
export function checkDependsOn(
  check: DocumentCheck,
  path: Path,
  names: readonly string[],
  known: readonly string[],
): void {
  // Before the variables are put in, any name may become any other.
  if (known.some((name) => check.isPlaceholder(name))) return;
  for (const name of names) {
    if (known.includes(name) || check.isPlaceholder(name)) continue;
    check.add(
      [...path, 'depends_on'],
      `There is no other field or entry "${name}"${didYouMean(name, known)}`,
    );
  }
}

/** `depends_on` of fields, and of their option sources, names other fields of the list at `path`, or one of `entries`. */
export function checkFieldDependencies(
  check: DocumentCheck,
  path: Path,
  fields: readonly FormField[],
  entries: readonly string[],
): void {
  for (const [index, field] of fields.entries()) {
    const others = fields.map((other) => other.key).filter((other) => other !== field.key);
    const known = [...others, ...entries];
    checkDependsOn(check, [...path, index], field.dependsOn, known);
    checkDependsOn(check, [...path, index, 'options_source'], field.optionsSource?.dependsOn ?? [], known);
  }
}
