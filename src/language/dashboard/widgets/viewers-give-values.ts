import { isRecord } from '../../../base/json.ts';
import type { Rule } from '../../declare/rules.ts';
import { findMembers } from '../../expression/parse-expression.ts';
import { splitTemplate } from '../../expression/split-template.ts';
import type { MapReader } from '../../yaml/map-reader.ts';
import type { Path } from '../../yaml/yaml-path.ts';

/** Arguments whose text is a statement. */
const STATEMENTS: readonly unknown[] = ['sql'];

/**
 * What a viewer chose goes into a call as a value alone: as the whole of an argument, never as a part of a text that says what the
 * call does.
 */
export const VIEWERS_GIVE_VALUES: Rule = {
  check: (reader) => checkValue(reader, reader.value('args'), reader.at('args')),
  schemas: () => [],
};

function checkValue(reader: MapReader, value: unknown, path: Path): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkValue(reader, item, [...path, index]);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) checkValue(reader, item, [...path, key]);
  } else if (typeof value === 'string' && readsFilter(value)) checkText(reader, value, path);
}

function checkText(reader: MapReader, text: string, path: Path): void {
  if (STATEMENTS.includes(path.at(-1))) {
    const message = 'A statement must not use "filter": write a placeholder, and the value under "params"';
    reader.check.add(path, message);
  } else if (!/^\{\{[\s\S]*\}\}$/.test(text.trim()) || splitTemplate(text.trim()).parts.length > 1) {
    reader.check.add(
      path,
      'A value that uses "filter" must be just "{{ expression }}", with nothing around it',
    );
  }
}

function readsFilter(text: string): boolean {
  if (!text.includes('{{')) return false;
  const expressions = splitTemplate(text).parts.filter((part) => typeof part !== 'string');
  return expressions.some(({ source }) => findMembers(source, 'filter').size > 0);
}
