import { typeName } from '../yaml/map-reader.ts';
import type { FormField } from './job-config.ts';

const TEXT_CHARS_MAX = 10_000;
const SELECTED_MAX = 1_000;
const EMAIL_CHARS_MAX = 254;

/**
 * What is wrong with a value of a form field, as the end of a sentence that begins with its name; null where it is right. Values
 * of option sources are only checked for their type: the options live elsewhere.
 */
export function fieldValueProblem(field: FormField, value: unknown): string | null {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : `must be a text, not ${typeName(value)}`;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
        ? null
        : `must be a number, not ${typeName(value)}`;
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

function textProblem(field: FormField, value: string): string | null {
  if (value.length > TEXT_CHARS_MAX) return `has more than ${TEXT_CHARS_MAX} characters`;
  if (field.format === 'email' && !isEmail(value))
    return `must be an email address, not "${value.slice(0, 100)}"`;
  if (field.format === 'url' && !isWebUrl(value))
    return `must be an http or https URL, not "${value.slice(0, 100)}"`;
  return null;
}

function optionProblem(field: FormField, value: unknown): string | null {
  if (typeof value !== 'string') return `must be a text, not ${typeName(value)}`;
  if (value.length > TEXT_CHARS_MAX) return `has more than ${TEXT_CHARS_MAX} characters`;
  if (field.options === null || field.options.some((option) => option.value === value)) return null;
  return `must be one of ${field.options.map((option) => option.value).join(', ')}, not "${value.slice(0, 100)}"`;
}

function selectionProblem(field: FormField, value: unknown): string | null {
  if (!Array.isArray(value)) return `must be a list, not ${typeName(value)}`;
  if (value.length > SELECTED_MAX) return `has more than ${SELECTED_MAX} items`;
  if (new Set(value).size < value.length) return 'must not hold an option twice';
  for (const item of value) {
    const problem = optionProblem(field, item);
    if (problem !== null) return `holds an item that ${problem}`;
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
