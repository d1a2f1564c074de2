import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import type { Template } from '../expression/template-string.ts';
import { readTemplate, type ScopeNames } from '../yaml/expression-reader.ts';
import { type MapReader, typeName } from '../yaml/map-reader.ts';
import { orVariable, type SchemaOptions } from './json-schema.ts';
import { type Given, special, type Value } from './value.ts';
import { name, text } from './values.ts';

/** A text that is one `{{ expression }}` and nothing else. */
const BRACES = /^\s*\{\{[\s\S]*\}\}\s*$/;

const CONNECTOR = text('One of the names under `connectors`.', { required: true });

/** A connector that the document declares. */
export const connector: Value<string> = {
  ...CONNECTOR,
  read: (reader, key) => {
    const name = CONNECTOR.read(reader, key);
    const declared = reader.check.declared('connectors');
    if (name === '' || declared === null || declared.includes(name)) return name;
    const others =
      declared.length === 0 ? '; declare it under "connectors"' : `; declared are ${declared.join(', ')}`;
    reader.wrong(key, `There is no connector "${name}"${didYouMean(name, declared) || others}`);
    return name;
  },
};

export function method<const R extends { readonly required?: boolean }>(rules: R): Value<Given<string, R>> {
  const words = 'A method of the connector, such as `query`, `list` or `get`; depends on its type.';
  return name(words, 'word', rules);
}

/** The arguments of a call: a map in whose texts `{{ expression }}` over `names` may stand. Absent is an empty map. */
export function callArgs(
  words: string,
  names: ScopeNames | ((reader: MapReader) => ScopeNames),
): Value<Template> {
  const schema = (options: SchemaOptions) => orVariable(options, { type: 'object' });
  return special(words, schema, (reader, key) => {
    const args = reader.value(key) ?? {};
    if (!isRecord(args) && !reader.check.isPlaceholder(args))
      reader.wrong(key, `"${key}" must be a map, not ${typeName(args)}`);
    const readable = typeof names === 'function' ? names(reader) : names;
    return readTemplate(reader.check, args, reader.at(key), readable);
  });
}

/** Arguments that a step has as keys of its own, such as `paginate`, beside those under `args`. */
export function withArguments(args: Template, own: Readonly<Record<string, Template | null>>): Template {
  const given = Object.entries(own).filter((entry): entry is [string, Template] => entry[1] !== null);
  if (given.length === 0) return args;
  const sources = given.map(([key, { source }]) => [key, source]);
  return {
    source: { ...(isRecord(args.source) ? args.source : {}), ...Object.fromEntries(sources) },
    names: new Set([args, ...given.map(([, template]) => template)].flatMap(({ names }) => [...names])),
    render: async (scope) => {
      const rendered: Record<string, unknown> = {};
      for (const [key, template] of given) rendered[key] = await template.render(scope);
      return { ...((await args.render(scope)) as object), ...rendered };
    },
  };
}

/** As `callArgs`, or one `{{ expression }}` that gives the map. */
export function callArgsOrExpression(words: string, names: ScopeNames): Value<Template> {
  const schema = { anyOf: [{ type: 'object' }, { type: 'string', pattern: BRACES.source }] };
  return special(words, schema, (reader, key) => {
    const args = reader.value(key) ?? {};
    if (!isRecord(args) && !(typeof args === 'string' && BRACES.test(args)))
      reader.wrong(key, `"${key}" must be a map or one "{{ expression }}", not ${typeName(args)}`);
    return readTemplate(reader.check, args, reader.at(key), names);
  });
}
