import dns from 'node:dns';
import { registerHooks } from 'node:module';
import net, { type Socket } from 'node:net';
import { pathToFileURL } from 'node:url';

/** In the process of a JavaScript step: what its code may import and connect to. */

export const SCRIPT = 'headgate:script';
/** None of them reaches a file, a process or the network. */
const HARMLESS = ['buffer', 'crypto', 'querystring', 'string_decoder', 'url', 'util'];
/** What packages need besides, and does not either. */
const OF_PACKAGES = ['assert', 'async_hooks', 'events', 'path', 'punycode', 'stream', 'timers', 'zlib'];
const FILES = ['fs', 'fs/promises', 'path'];
const NETWORK = ['http', 'https'];

export interface ModuleAccess {
  /** With the packages that may be imported; null for none. */
  readonly packages: string | null;
  /** Node's permission model says which. */
  readonly files: boolean;
  /** `host` or `host:port`. */
  readonly network: readonly string[];
}

/** Lets the code, whose text `source` gives, import what it may and nothing else. */
export function limitModules(source: () => string, { packages, files, network }: ModuleAccess): void {
  const harmless = setOf(HARMLESS, ...(files ? [FILES] : []), ...(network.length > 0 ? [NETWORK] : []));
  const root = packages === null ? null : pathToFileURL(`${packages}/`).href;
  const ofPackages = setOf(
    [...harmless],
    OF_PACKAGES,
    [...HARMLESS].map((name) => `${name}/promises`),
  );
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === SCRIPT) return { url: SCRIPT, format: 'module', shortCircuit: true };
      const isPackage = root !== null && context.parentURL?.startsWith(`${root}node_modules/`) === true;
      const name = specifier.replace(/^node:/, '');
      if ((isPackage ? ofPackages : harmless).has(name)) return next(`node:${name}`, context);
      const isBare = /^(?:@[a-z0-9~-]|[a-z0-9~-])/i.test(specifier) && !specifier.includes(':');
      if (root !== null && (isPackage || isBare)) {
        const from = isPackage ? context : { ...context, parentURL: `${root}package.json` };
        const found = next(specifier, from);
        if (found.url.startsWith(`${root}node_modules/`)) return found;
      }
      throw new Error(`"${specifier}" cannot be imported in a script`);
    },
    load(url, context, next) {
      return url === SCRIPT ? { format: 'module', source: source(), shortCircuit: true } : next(url, context);
    },
  });
}

function setOf(...lists: readonly (readonly string[])[]): ReadonlySet<string> {
  return new Set(lists.flat());
}

/** Lets every connection of this process go to these hosts alone, by the names that they are asked for with. */
export function limitConnections(network: readonly string[]): void {
  const allowed = new Set(network);
  const { connect } = net.Socket.prototype;
  const limited = function (this: Socket, ...args: unknown[]): Socket {
    const { options, listener } = connectionOf(args);
    const host = String(options['host'] ?? 'localhost').toLowerCase();
    const port = Number(options['port']);
    const isAllowed = !options['path'] && (allowed.has(host) || allowed.has(`${host}:${port}`));
    if (!isAllowed)
      return this.destroy(
        new Error(`The script may not connect to "${host}:${port}": see SVC_SCRIPT_NETWORK`),
      );
    return connect.call(this, { ...options, host, port, lookup: dns.lookup } as never, listener as never);
  };
  Object.defineProperty(net.Socket.prototype, 'connect', { value: limited });
}

/** The forms that `connect` takes: a list of options and listener, options, or port and host. */
function connectionOf(args: readonly unknown[]): {
  readonly options: Readonly<Record<string, unknown>>;
  readonly listener: unknown;
} {
  const [first, ...rest] = args;
  if (Array.isArray(first)) return { options: { ...(first[0] as object) }, listener: first[1] ?? undefined };
  const listener = rest.find((one) => typeof one === 'function');
  if (typeof first === 'object' && first !== null) return { options: { ...first }, listener };
  return { options: { port: first, host: typeof rest[0] === 'string' ? rest[0] : undefined }, listener };
}
