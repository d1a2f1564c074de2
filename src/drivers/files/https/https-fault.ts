import { OutboundError } from '../../../base/outbound/outbound-error.ts';
import { isPlainServer } from '../../../base/outbound/unreachable.ts';
import { AbsentResourceError, ConnectorError } from '../../driver.ts';

const TLS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_(SSL|TLS)|^EPROTO$/;

/** A request that brought no answer. Others, and aborts, pass through. */
export function wayFault(error: unknown, name: string): unknown {
  if (!(error instanceof OutboundError)) return error;
  const options = { cause: error };
  if (error.code === 'OUTBOUND_REFUSED' || error.code === 'OUTBOUND_INVALID')
    return new ConnectorError('CONFIG', error.message, options);
  if (error.code === 'OUTBOUND_TOO_LARGE')
    return new ConnectorError(
      'CONFIG',
      `The file "${name}" is larger than the limit for servers without range requests`,
      options,
    );
  if (isPlainServer(error))
    return new ConnectorError(
      'CONFIG',
      'The server does not speak TLS at this port: correct "path", or begin it with "http://"',
      options,
    );
  const tls = codesOf(error).find((code) => TLS.test(code));
  if (tls !== undefined)
    return new ConnectorError(
      'CONFIG',
      `This machine does not trust the TLS certificate of the server (${tls}); set NODE_EXTRA_CA_CERTS for a private CA`,
      options,
    );
  return new ConnectorError('UNAVAILABLE', `"${name}" cannot be read: ${error.message}`, options);
}

/** What an answer without the file means. */
export function statusFault(status: number, name: string): ConnectorError {
  if (status === 404 || status === 410)
    return new AbsentResourceError(`The file "${name}" does not exist on the server (${status})`);
  if (status === 401 || status === 403)
    return new ConnectorError(
      'AUTH',
      `The server denies access to "${name}" (${status}): check "header" of "https" and "header_value"`,
    );
  if (isPassing(status))
    return new ConnectorError(
      'UNAVAILABLE',
      `"${name}" is temporarily unavailable on the server (${status})`,
    );
  return new ConnectorError('CONFIG', `The server answered ${status} for "${name}" instead of a file`);
}

/** Whether another try may bring the file. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

function codesOf(thrown: Error): readonly string[] {
  const codes: string[] = [];
  for (let error: unknown = thrown, depth = 0; depth < 5 && error instanceof Error; depth++) {
    codes.push(String((error as { readonly code?: unknown }).code ?? ''));
    error = error.cause;
  }
  return codes;
}
