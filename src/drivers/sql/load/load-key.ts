import { KEYED_MODES } from '../../../language/task/steps/load/load-step.ts';
import { ConnectorError, type WriteRequest } from '../../driver.ts';

/** Throws `CONFIG` where the mode needs a key and there is none, or takes none and there is one. */
export function requireKeyOfMode({ mode, key, versions }: WriteRequest): void {
  const isKeyed = KEYED_MODES.includes(mode);
  if (isKeyed !== key.length > 0) {
    const problem = isKeyed ? 'needs the columns of a key' : 'takes no key';
    throw new ConnectorError('CONFIG', `The mode "${mode}" ${problem}`);
  }
  if (mode === 'scd2' && !versions)
    throw new ConnectorError('CONFIG', 'The mode "scd2" needs the columns of its versions');
}

/** The columns that tell a row of the target from all others: of versions, also from when on each holds. */
export function uniqueKey({ key, versions }: WriteRequest): readonly string[] {
  return versions ? [...key, versions.validFrom] : key;
}

/** Throws `CONFIG` for a table that is there and keeps no versions; `has` tells of its columns. */
export function requireVersioned({ object, versions }: WriteRequest, has: (column: string) => boolean): void {
  if (!versions) return;
  const { validFrom, validTo, current, hash } = versions;
  const missing = [validFrom, validTo, current, hash].find((name) => !has(name));
  if (missing === undefined) return;
  const message = `"${object}" is a table without versions: it has no column "${missing}". Name another table, which is made where it is not there, or give this one the columns ${[validFrom, validTo, current, hash].join(', ')}`;
  throw new ConnectorError('CONFIG', message);
}
