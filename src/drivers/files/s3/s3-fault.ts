import { isRecord } from '../../../base/json.ts';
import { OutboundError, outboundErrorIn } from '../../../base/outbound/outbound-error.ts';
import { isPlainServer, knownReason } from '../../../base/outbound/unreachable.ts';
import { AbsentResourceError, ConnectorError } from '../../driver.ts';

const UNKNOWN_KEY =
  'The storage does not know the access key id: check "access_key_id" of "s3", and whether "endpoint" is its storage';
const KEY_FAULTS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: UNKNOWN_KEY,
  XAdminUserNotFound: UNKNOWN_KEY,
  SignatureDoesNotMatch:
    'The secret access key does not match the access key id: enter "secret_access_key" again',
  ExpiredToken: 'The session token has expired: get another temporary key, or use a permanent one',
  InvalidToken: 'The storage does not accept the session token: it belongs to another key, or is not whole',
};

/** Codes of a bucket that lies elsewhere. */
const ELSEWHERE = ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'];
const TLS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_(SSL|TLS)|^EPROTO$/;

interface Said {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** What the storage, or the way to it, says of a failure. */
function saidBy(error: Error): Said {
  const { Code, code, $metadata } = error as Error & { Code?: unknown; code?: unknown; $metadata?: unknown };
  const status = isRecord($metadata) ? Number($metadata['httpStatusCode'] ?? 0) : 0;
  return { code: String(Code ?? code ?? error.name), status, message: error.message };
}

/**
 * An error of the storage as a `ConnectorError`, which names the file as the user wrote it. Others, and aborts, pass through. `doing`
 * stands after "cannot": `read "orders.csv"`.
 */
export function s3Fault(error: unknown, doing: string, name: string | null): unknown {
  if (error instanceof ConnectorError || !(error instanceof Error) || error.name === 'AbortError')
    return error;
  const outbound = error instanceof OutboundError ? error : outboundErrorIn(error);
  if (outbound !== null && outbound !== undefined)
    return wayFault(outbound.message, outbound.code === 'OUTBOUND_REFUSED', error);
  const { code, status, message } = saidBy(error);
  const options = { cause: error };
  if (code === 'NoSuchBucket')
    return new ConnectorError(
      'CONFIG',
      'The storage has no such bucket: check the bucket in "path", and "endpoint" and "region" of "s3"',
      options,
    );
  if (name !== null && (code === 'NoSuchKey' || status === 404))
    return new AbsentResourceError(`The file "${name}" does not exist in this connector's bucket`);
  const keyFault = KEY_FAULTS[code];
  if (keyFault !== undefined) return new ConnectorError('AUTH', keyFault, options);
  if (code === 'RequestTimeTooSkewed')
    return new ConnectorError(
      'CONFIG',
      'The clock of this machine differs too much from that of the storage: set it, best by NTP',
      options,
    );
  if (ELSEWHERE.includes(code) || status === 301)
    return new ConnectorError('CONFIG', elsewhere(error, message), options);
  if (status === 412 || code === 'PreconditionFailed')
    return new ConnectorError('UNAVAILABLE', `The file "${name}" changed in the meantime`, options);
  if (status === 401 || status === 403)
    return new ConnectorError(
      'AUTH',
      // An answer to HEAD has no body that names a wrong secret.
      code === 'AccessDenied'
        ? `The storage does not allow the access key to ${doing}: check the policy of its user and of the bucket`
        : `The storage does not allow the access key to ${doing}, without a reason: check "secret_access_key", then the policy of its user and of the bucket`,
      options,
    );
  if (isPlainServer(error))
    return wayFault('The storage does not speak TLS at this port: correct "endpoint" of "s3"', true, error);
  if (TLS.test(code))
    return wayFault(
      `This machine does not trust the TLS certificate of the storage (${code}); set NODE_EXTRA_CA_CERTS for a private CA`,
      true,
      error,
    );
  const why = status === 0 ? knownReason(error) : null;
  if (why !== null)
    return wayFault(`The storage cannot be reached: ${why} ("endpoint" of "s3")`, false, error);
  if (status === 0 || status === 408 || status === 429 || status >= 500)
    return wayFault(`The storage cannot be reached, or is temporarily unavailable (${code})`, false, error);
  return new ConnectorError('CONFIG', `The storage refuses to ${doing}: ${message} (${code})`, options);
}

function wayFault(message: string, isFinal: boolean, cause: Error): ConnectorError {
  return new ConnectorError(isFinal ? 'CONFIG' : 'UNAVAILABLE', message, { cause });
}

function elsewhere(error: Error, message: string): string {
  const region =
    (error as { readonly Region?: unknown }).Region ?? /expecting '([a-z0-9-]+)'/.exec(message)?.[1];
  return typeof region === 'string'
    ? `The bucket is in the region "${region}": set "region" of "s3" to that`
    : 'The bucket is in another region, or at another endpoint: set "region" of "s3" to its own';
}
