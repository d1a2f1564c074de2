/** What the operating system says of a connection that is not made, or ends by itself, and what to look at. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: look at the host and the port, and whether the server runs',
  ENOTFOUND: 'the name of the host cannot be resolved: look for a typing error, and at DNS',
  EAI_AGAIN: 'the name of the host cannot be resolved for now: look at DNS',
  EHOSTUNREACH: 'there is no route to the host: look at the network and firewalls',
  ENETUNREACH: 'there is no route to the host: look at the network and firewalls',
  ETIMEDOUT: 'no answer came in time: look at the port and at firewalls on the way',
  ECONNRESET:
    'the connection was closed: look at the port, at the log of the server, and at proxies on the way',
  EPIPE: 'the connection was closed: look at the port, at the log of the server, and at proxies on the way',
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

function reasonOf(error: unknown, depth: number): string | undefined {
  if (!(error instanceof Object) || depth > DEPTH_MAX) return undefined;
  const { code, cause, errors } = error as Readonly<Record<string, unknown>>;
  const inner = [...(Array.isArray(errors) ? errors : []), cause];
  return (
    REASONS[String(code)] ?? inner.map((one) => reasonOf(one, depth + 1)).find((found) => found !== undefined)
  );
}
