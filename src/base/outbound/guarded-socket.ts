import { lookup as systemLookup } from 'node:dns';
import { type LookupFunction, Socket, type SocketConnectOpts } from 'node:net';
import { parseAddress } from './address.ts';
import { OutboundError } from './outbound-error.ts';
import type { ResolveAll } from './outbound-limits.ts';
import { hostOf, mayReach, type OutboundRules, refused } from './outbound-policy.ts';

/** The addresses of a name, by the system. */
export function resolveBySystem(host: string, done: Parameters<ResolveAll>[1]): void {
  systemLookup(host, { all: true }, (error, addresses) => done(error, addresses ?? []));
}

/** The look-up of a socket to `host` and `port`: gives only addresses that may be reached. Sockets ask none for a literal. */
export function guardedLookup(
  rules: OutboundRules,
  resolve: ResolveAll,
  { host, port }: { readonly host: string; readonly port: number },
): LookupFunction {
  return (name, options, done) => {
    resolve(name, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const family = Number(options.family) || 0;
      const open = addresses.filter(
        (found) =>
          (family === 0 || found.family === family) &&
          mayReach(rules, { host, port, address: parseAddress(found.address) }),
      );
      const [first] = open;
      if (first === undefined) return done(refused(rules, host), '', 0);
      if (options.all) return done(null, open);
      done(null, first.address, first.family);
    });
  };
}

/**
 * A TCP socket for clients that connect by themselves and take a socket to do it with, as databases' do. It goes where the rules
 * let it; what is not a host with a port, such as a Unix socket, is this machine's own and refused.
 */
export class GuardedSocket extends Socket {
  readonly #rules: OutboundRules;
  readonly #resolve: ResolveAll;

  constructor(rules: OutboundRules, resolve: ResolveAll) {
    super();
    this.#rules = rules;
    this.#resolve = resolve;
  }

  override connect(...args: unknown[]): this {
    const [first, second] = args;
    const given = typeof first === 'object' ? (first as Partial<{ host: string; port: number }>) : null;
    const port = Number(given?.port ?? first);
    const host = given?.host ?? (typeof second === 'string' ? second : 'localhost');
    if (!Number.isInteger(port) || port < 1)
      return this.#refuse(
        new OutboundError('OUTBOUND_REFUSED', 'Only a host and a port can be connected to'),
      );
    const target = { host: hostOf(host), port };
    const literal = parseAddress(target.host);
    if (literal !== null && !mayReach(this.#rules, { ...target, address: literal }))
      return this.#refuse(refused(this.#rules, target.host));
    const options: SocketConnectOpts = {
      host,
      port,
      lookup: guardedLookup(this.#rules, this.#resolve, target),
    };
    return super.connect(options);
  }

  #refuse(error: OutboundError): this {
    process.nextTick(() => this.destroy(error));
    return this;
  }
}
