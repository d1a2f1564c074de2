import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';

const FOUND_KEPT_MS = 60_000;
const FAILURE_KEPT_MS = 10_000;
/** Packets that wait for the name; more are lost. */
const WAITING_MAX = 1_000;

type Answer = (error: Error | null, address: string, family: number) => void;

interface Known {
  readonly error: Error | null;
  readonly address: string;
  readonly until: number;
}

/**
 * Looks a host up at most once a minute, and one that is not found every ten seconds: packets that are many and lost anyway must
 * not fill the threads in which the system resolves names. For one host.
 */
export function createCachedLookup(now: () => number) {
  let known: Known | null = null;
  let waiting: Answer[] | null = null;
  return (host: string, options: number | { readonly family?: number }, done: Answer): void => {
    const literal = isIP(host);
    const family = (typeof options === 'number' ? options : options.family) === 6 ? 6 : 4;
    if (literal !== 0) done(null, host, literal);
    else if (known !== null && now() < known.until) done(known.error, known.address, family);
    else if (waiting === null) begin(host, family, done);
    else if (waiting.length < WAITING_MAX) waiting.push(done);
    else done(new Error('The host is still being looked up'), '', family);
  };

  function begin(host: string, family: 4 | 6, done: Answer): void {
    waiting = [done];
    systemLookup(host, { family }, (error, address) => {
      const told = waiting ?? [];
      waiting = null;
      known = { error, address, until: now() + (error === null ? FOUND_KEPT_MS : FAILURE_KEPT_MS) };
      for (const tell of told) tell(error, address, family);
    });
  }
}
