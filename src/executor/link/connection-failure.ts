import { messageOf } from '../../base/errors.ts';

/** A cause by what the transports say of it, and what to do; the first that fits counts. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /ALTNAME_INVALID|does not match certificate's altnames/,
    'the TLS certificate is for another name: use the name in the certificate with --server, or get a certificate for this name',
  ],
  [/certificate has expired|CERT_HAS_EXPIRED/, 'the TLS certificate has expired: renew it'],
  [
    /alert certificate required|ALERT_CERTIFICATE_REQUIRED/i,
    'the server requires a client certificate: pass --cert and --cert-key',
  ],
  [
    /alert (unknown ca|bad certificate)|ALERT_(UNKNOWN_CA|BAD_CERTIFICATE)/i,
    'the server refuses the certificate of --cert: it must be issued by the authority of SVC_GRPC_TLS_CLIENT_CA',
  ],
  [
    /self.signed|unable to (verify|get)|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO/i,
    'the TLS certificate is from an untrusted authority: pass the file of that authority with --ca',
  ],
  [
    /wrong version number|packet length too long|WRONG_VERSION_NUMBER/,
    'the server does not use TLS: remove --ca, or use http:// instead of https://',
  ],
  [
    /NO_APPLICATION_PROTOCOL/,
    'this is a gRPC port: write --server as host:port without https://, or use the address of the REST API',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|Name resolution failed/,
    'the name cannot be resolved (DNS): check its spelling and this machine’s DNS',
  ],
  [
    /ECONNREFUSED/,
    'the connection was refused: nothing listens there; check the port, and the server’s SVC_GRPC_HOST and SVC_GRPC_PORT',
  ],
  [
    /Last error: Protocol error/,
    'the response is not gRPC: set --server to the address that the server prints for executors, or to its API’s with http://',
  ],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no route to it: check the network and firewalls'],
  [
    /Deadline exceeded|CONNECT_TIMEOUT|ETIMEDOUT|AbortError/,
    'the connection timed out: check the port, and for firewalls in between',
  ],
  [
    /Failed to connect|ECONNRESET|UND_ERR_SOCKET|socket hang up/,
    'the connection was closed immediately: if the server uses TLS, pass --ca or https://; otherwise check proxies in between',
  ],
];

/**
 * Why there is no session, for the log of the executor: with the address that its operator gave, what the transport met and what to
 * do. Errors themselves name no host, since others may travel to users.
 */
export function connectionFailureText(server: string, error: unknown): string {
  const met = textOf(error);
  const found = CAUSES.find(([pattern]) => pattern.test(met));
  return found === undefined ? messageOf(error) : `"${server}": ${found[1]}`;
}

/** Of the error that the transport gave as the cause, at whatever depth. */
function textOf(error: unknown): string {
  const parts: string[] = [];
  for (
    let at = (error as { cause?: unknown } | null)?.cause, depth = 0;
    at instanceof Object && depth < 4;
    depth += 1
  ) {
    const { name, code, message, details, cause } = at as Readonly<Record<string, unknown>>;
    parts.push([name, code, details ?? message].join(' '));
    at = cause;
  }
  return parts.join(' ');
}
