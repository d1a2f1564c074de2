import { dirname, relative, resolve, sep } from 'node:path';
import { validationError } from '../../base/errors.ts';

/** The location of this server's metrics files. */
export interface MetricsPlace {
  /** The path of the default metrics file, from the server's settings. */
  readonly path: string;
  /** The server's own files: no metrics are written there. */
  readonly reserved: readonly string[];
}

/**
 * The file that a `localdb` backend's `path` names: relative to the folder of the server's metrics file, inside it, and none of
 * the server's own. `VALIDATION_ERROR` for any other: otherwise whoever may write this configuration could create files
 * anywhere.
 */
export function localdbPath(place: MetricsPlace, path: string): string {
  const folder = dirname(resolve(place.path));
  const file = resolve(folder, path);
  const inner = relative(folder, file);
  const outside =
    inner === '' || inner === '..' || inner.startsWith(`..${sep}`) || resolve(folder, inner) !== file;
  const message = `The path "${path}" is not in the server's folder for metrics: use one such as "./metrics.db"`;
  if (outside || path.includes('\0')) throw validationError([{ path: 'config.path', message }]);
  const reserved = place.reserved.some((own) =>
    ['', '-wal', '-shm', '-journal'].some((suffix) => resolve(own) === `${file}${suffix}`),
  );
  if (reserved || /-(wal|shm|journal)$/.test(file))
    throw validationError([
      { path: 'config.path', message: `The path "${path}" is a file of the server itself: use another name` },
    ]);
  return file;
}

/** The path of the default metrics file in a `localdb` configuration. */
export function defaultLocaldbPath(place: MetricsPlace): string {
  const file = resolve(place.path);
  return `./${relative(dirname(file), file)}`;
}
