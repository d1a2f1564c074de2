import { AbsentResourceError, ConnectorError } from '../../driver.ts';

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** True for the errors that the system gives when a path leads nowhere. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The fault of a file that is not there. `name` is what the user wrote. */
export function missingFile(name: string): ConnectorError {
  return new AbsentResourceError(`The file "${name}" does not exist in this connector's folder`);
}

/** The fault of a connector's folder that is not there. `path` is that of the configuration. */
export function missingFolder(path: string): ConnectorError {
  return new AbsentResourceError(
    `The folder "${path}" does not exist: create it, or correct the "path" of the connector`,
  );
}

/**
 * A system error as a `ConnectorError` that names the file as the user wrote it and never its real path. Errors that are
 * `ConnectorError` already, and aborts, pass through.
 */
export function fileFault(error: unknown, name: string, doing: 'read' | 'write'): unknown {
  if (error instanceof ConnectorError) return error;
  if (error instanceof Error && error.name === 'AbortError') return error;
  const code = codeOf(error);
  switch (code) {
    case undefined:
      return error;
    case 'ENOENT':
    case 'ENOTDIR':
      return missingFile(name);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ConnectorError('CONFIG', `The server has no permission to ${doing} the file "${name}"`, {
        cause: error,
      });
    case 'ELOOP':
      return new ConnectorError('CONFIG', `The file "${name}" is a link that cannot be followed`, {
        cause: error,
      });
    case 'ENAMETOOLONG':
      return new ConnectorError('CONFIG', `The file name "${name}" is too long`, { cause: error });
    case 'EMFILE':
    case 'ENFILE':
    case 'EAGAIN':
      return new ConnectorError(
        'UNAVAILABLE',
        `Too many files are open to ${doing} "${name}"; try again later`,
        {
          cause: error,
        },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new ConnectorError('TARGET', `There is no space left to write the file "${name}"`, {
        cause: error,
      });
    default:
      return new ConnectorError(
        'TARGET',
        `The file "${name}" cannot be ${doing === 'read' ? 'read' : 'written'} (${code})`,
        {
          cause: error,
        },
      );
  }
}
