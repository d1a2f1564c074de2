/** What the operating system says of a connection that is not made, or ends by itself, and what to look at. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: check the host and the port, and whether the server is running',
  ENOTFOUND: 'the host name cannot be resolved: check its spelling and DNS',
  EAI_AGAIN: 'the host name cannot be resolved for now: check DNS',
  EHOSTUNREACH: 'there is no route to the host: check the network and firewalls',
  ENETUNREACH: 'there is no route to the host: check the network and firewalls',
  ETIMEDOUT: 'the connection timed out: check the port and firewalls in between',
  ECONNRESET: 'the connection was closed: check the port, the server’s log, and proxies in between',
  UND_ERR_SOCKET: 'the connection was closed: check the port, the server’s log, and proxies in between',
  EPIPE: 'the connection was closed: check the port, the server’s log, and proxies in between',
};
const DEPTH_MAX = 4;

/**
 * Why a server cannot be reached and what to look at, for a sentence that names the server by its kind: the text holds no host, as
 * it may travel to users who must not see one. Looks into causes, and into the attempts at several addresses of one name. Of an
 * error without a known code: that the connection was closed.
 */
export function unreachableReason(error: unknown): string {
  return reasonOf(error, 0) ?? 'the connection was closed: look at the log of the server';
}

/** As `unreachableReason`; null for an error without a known code. */
export function knownReason(error: unknown): string | null {
  return reasonOf(error, 0) ?? null;
}

/** Whether TLS was spoken to a server that does not speak it at this port. */
export function isPlainServer(error: unknown): boolean {
  return (
    error instanceof Error &&
    (/wrong version number|packet length too long/.test(error.message) || isPlainServer(error.cause))
  );
}

function reasonOf(error: unknown, depth: number): string | undefined {
  if (!(error instanceof Object) || depth > DEPTH_MAX) return undefined;
  const { code, cause, errors } = error as Readonly<Record<string, unknown>>;
  const inner = [...(Array.isArray(errors) ? errors : []), cause];
  return (
    REASONS[String(code)] ?? inner.map((one) => reasonOf(one, depth + 1)).find((found) => found !== undefined)
  );
}
