import { isRecord } from '../../base/json.ts';

/**
 * What stands at `data.items` of a JSON value; a number steps into a list. A key that is the whole path, such as `@odata.nextLink`, goes
 * first. `undefined` where there is nothing.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (isRecord(value) && Object.hasOwn(value, path)) return value[path];
  let found = value;
  for (const key of path.split('.')) {
    if (Array.isArray(found) && /^\d+$/.test(key)) found = found[Number(key)];
    else if (isRecord(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
}
