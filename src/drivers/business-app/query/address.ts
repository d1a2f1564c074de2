import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';
import type { Query } from '../../http/resource-config.ts';
import type { OdataKey } from '../config.ts';
import { type LiteralPlace, literalOf } from './literal.ts';
import { propertyAt, type Subject } from './property.ts';

/** Options of a request such as `{$top: 5}`; absent ones are left out. */
export type Options = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The path with its query, percent-encoded throughout: some servers take no `+` for a space and no `%24` for the dollar of their own
 * options. `further` are parameters of other kinds, such as those of the configuration.
 */
export function withOptions(path: string, options: Options, further: readonly Query[] = []): string {
  const parts = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  for (const query of further)
    for (const [name, value] of Object.entries(query))
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== null)
          parts.push(`${encodeURIComponent(name).replace('%24', '$')}=${encodeURIComponent(one)}`);
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

/** `contacts(7)`, `lines(order=1,line=2)`. Throws `CONFIG` for a key that does not fit the entity. */
export function recordPath(entity: string, key: OdataKey, subject: Subject | null): string {
  const literal = (property: LiteralPlace, value: unknown) =>
    encodeURIComponent(literalOf(value, property)).replaceAll("'", '%27');
  if (isRecord(key)) {
    const parts = Object.entries(key);
    if (parts.length === 0) throw new ConnectorError('CONFIG', `The key of "${entity}" is empty`);
    return `${entity}(${parts.map(([name, value]) => `${name}=${literal(propertyAt(subject, name), value)}`).join(',')})`;
  }
  const names = subject?.type.key ?? [];
  if (names.length > 1)
    throw new ConnectorError(
      'CONFIG',
      `The key of "${entity}" has ${names.length} parts: give {${names.map((name) => `"${name}": …`).join(', ')}}`,
    );
  const [name] = names;
  const property =
    name === undefined ? { name: 'key', type: null, isEnum: false } : propertyAt(subject, name);
  return `${entity}(${literal(property, key)})`;
}

/** `name,total desc`. */
export function orderOf(sort: readonly string[], subject: Subject | null): string {
  return sort
    .map((item) => {
      const { name } = propertyAt(subject, item.replace(/^-/, ''));
      return item.startsWith('-') ? `${name} desc` : name;
    })
    .join(',');
}
