import type { Expression } from '../expression/expression.ts';
import type { Template } from '../expression/template-string.ts';
import {
  NO_EXPRESSION,
  readExpressionKey,
  readTemplate,
  type ScopeNames,
} from '../yaml/expression-reader.ts';
import { type Given, special, type Value } from './value.ts';
import { text } from './values.ts';

/** A bare expression over `names`, without braces. */
export function expression<const R extends { readonly required?: boolean }>(
  words: string,
  names: ScopeNames,
  rules: R = {} as R,
): Value<Given<Expression, R>> {
  const fallback = rules.required ? NO_EXPRESSION : null;
  return special(
    words,
    { $ref: '#/$defs/expression' },
    (reader, key) => (readExpressionKey(reader, key, names, rules) ?? fallback) as Given<Expression, R>,
    rules,
  );
}

/** A text in which `{{ expression }}` over `names` may stand. */
export function template<const R extends { readonly required?: boolean }>(
  words: string,
  names: ScopeNames,
  rules: R = {} as R,
): Value<Given<Template, R>> {
  const source = text<R>(words, rules);
  return {
    ...source,
    read: (reader, key) => {
      const read = source.read(reader, key);
      if (read === null) return null as Given<Template, R>;
      return readTemplate(reader.check, read, reader.at(key), names);
    },
  };
}
