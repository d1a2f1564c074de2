import { isRecord } from '../../base/json.ts';
import { ConnectorError } from '../../drivers/driver.ts';

/**
 * The arguments of an option source with a search text put where `search.param` says: an argument, or a dotted path into one
 * (`filter.name.contains`). Throws `CONFIG` where the path leads into what is no map.
 */
export function withSearch(args: unknown, param: string, text: string): unknown {
  return withValue(args, param.split('.'), text, param);
}

function withValue(at: unknown, path: readonly string[], text: string, param: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  const map = at ?? {};
  if (!isRecord(map) || key === '' || key === '__proto__') {
    throw new ConnectorError('CONFIG', `The "search.param" "${param}" leads to nothing that can hold a text`);
  }
  const own = Object.hasOwn(map, key) ? map[key] : undefined;
  return { ...map, [key]: withValue(own, rest, text, param) };
}
