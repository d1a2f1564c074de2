import { OutboundError, outboundErrorIn } from '../../../base/outbound/outbound-error.ts';
import { knownReason } from '../../../base/outbound/unreachable.ts';
import { AbsentResourceError, ConnectorError } from '../../driver.ts';

/** Of the protocol: https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02#section-7. */
const STATUS = { noSuchFile: 2, permissionDenied: 3, failure: 4, unsupported: 8 };

/** Of the connector's own folder. */
export const NO_FOLDER = 'The server has no such folder: correct the "path" of the connector, or create it';

/** True where the server lacks an extension of the protocol. */
export function isUnsupported(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === STATUS.unsupported || /does not support/.test(String(message));
}

/** A name in another encoding than UTF-8 comes with this character, and leads nowhere on its way back. */
function absentWords(name: string): string {
  return name.includes('\uFFFD')
    ? 'has a name that is not UTF-8: rename it on the server, or leave it out of the pattern'
    : 'does not exist on the server';
}

/** An error of a session as a `ConnectorError`; `doing` stands after "cannot": `read "orders.csv"`. Others, and aborts, pass through. */
export function sftpFault(error: unknown, doing: string, name: string | null): unknown {
  if (error instanceof ConnectorError || !(error instanceof Error) || error.name === 'AbortError')
    return error;
  const outbound = error instanceof OutboundError ? error : outboundErrorIn(error);
  const options = { cause: error };
  if (outbound !== null && outbound !== undefined) {
    const fault = outbound.code === 'OUTBOUND_REFUSED' ? 'CONFIG' : 'UNAVAILABLE';
    return new ConnectorError(fault, outbound.message, options);
  }
  const { code, level } = error as Error & { readonly code?: unknown; readonly level?: unknown };
  if (code === STATUS.noSuchFile)
    return new AbsentResourceError(name === null ? NO_FOLDER : `The file "${name}" ${absentWords(name)}`);
  if (code === STATUS.permissionDenied)
    return new ConnectorError('CONFIG', `The server does not allow this user to ${doing}`, options);
  if (typeof code === 'number' && code >= STATUS.failure && code !== 6 && code !== 7)
    return new ConnectorError('TARGET', `The server cannot ${doing} (${error.message})`, options);
  if (level === 'client-authentication')
    return new ConnectorError(
      'AUTH',
      'The server rejected the user, the password or the key: check "sftp" of the connector',
      options,
    );
  if (/privateKey|passphrase|bad decrypt|OpenSSH key/i.test(error.message) && level === undefined)
    return new ConnectorError('CONFIG', `The private key cannot be used: ${error.message}`, options);
  const known = knownReason(error);
  if (known !== null)
    return new ConnectorError('UNAVAILABLE', `The SFTP server cannot be reached: ${known}`, options);
  if (/before handshake/.test(error.message))
    return new ConnectorError(
      'UNAVAILABLE',
      'The server closed the connection before a greeting of SSH: check the port, and whether the server lets this address in',
      options,
    );
  const why = typeof code === 'string' ? code : error.message;
  return new ConnectorError(
    'UNAVAILABLE',
    `The SFTP server cannot be reached, or is temporarily unavailable (${why})`,
    options,
  );
}
