import ipaddr from 'ipaddr.js';
import { type Address, isIpv4, parseAddress } from './address.ts';

const PORT_MAX = 65_535;
const HOST = /^(?!-)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** One entry of a list of what may be reached: a name, an address or a network, with one port or any. */
type Allowed =
  | { readonly kind: 'host'; readonly host: string; readonly port: number | null }
  | { readonly kind: 'network'; readonly network: [Address, number]; readonly port: number | null };

/** Where a connection goes. `host` is the name that was asked for, in lower case, or the literal; `address` null before it is known. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly address: Address | null;
}

export type AllowList = readonly Allowed[];

export type AllowListResult =
  | { readonly ok: true; readonly list: AllowList }
  /** The first entry that cannot be read. */
  | { readonly ok: false; readonly entry: string };

/** Reads `host`, `host:port`, `address`, `address:port`, `[ipv6]:port` and CIDR. */
export function parseAllowList(entries: readonly string[]): AllowListResult {
  const list: Allowed[] = [];
  for (const entry of entries) {
    const allowed = parseEntry(entry.trim().toLowerCase());
    if (allowed === null) return { ok: false, entry };
    list.push(allowed);
  }
  return { ok: true, list };
}

/** Whether an entry names the host, or the address that it has. */
export function isAllowed(list: AllowList, { host, port, address }: Target): boolean {
  return list.some((one) => {
    if (one.port !== null && one.port !== port) return false;
    return one.kind === 'host' ? one.host === host : address !== null && contains(one.network, address);
  });
}

function contains([base, bits]: [Address, number], address: Address): boolean {
  if (isIpv4(base)) return isIpv4(address) && address.match(base, bits);
  return !isIpv4(address) && address.match(base, bits);
}

function parseEntry(entry: string): Allowed | null {
  if (entry.includes('/')) return parseNetwork(entry);
  const bare = parseAddress(entry);
  if (bare !== null) return single(bare, null);
  const [, bracketed, name, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > PORT_MAX)) return null;
  const address = parseAddress(bracketed ?? name ?? '');
  if (address !== null) return single(address, port);
  const host = name?.replace(/\.$/, '') ?? '';
  // What a URL would take for an address in another spelling is written as the address.
  if (!HOST.test(host) || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)) return null;
  return { kind: 'host', host, port };
}

function parseNetwork(entry: string): Allowed | null {
  try {
    const [base, bits] = ipaddr.parseCIDR(entry);
    const address = parseAddress(base.toString());
    if (address === null || (isIpv4(address) && base.kind() !== 'ipv4')) return null;
    return { kind: 'network', network: [address, bits], port: null };
  } catch {
    return null;
  }
}

function single(address: Address, port: number | null): Allowed {
  return { kind: 'network', network: [address, isIpv4(address) ? 32 : 128], port };
}
