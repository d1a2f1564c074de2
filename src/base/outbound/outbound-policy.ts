import { networkInterfaces } from 'node:os';
import { type Address, isGlobal, isLocalOrMetadata, parseAddress } from './address.ts';
import { type AllowList, isAllowed, parseAllowList, type Target } from './allow-list.ts';
import { OutboundError } from './outbound-error.ts';

/**
 * What may be reached besides the list: `block-metadata` everything but this machine and what gives a cloud's credentials;
 * `public-only` what anybody on the Internet has; `allowlist` nothing.
 */
export const OUTBOUND_POLICIES = ['block-metadata', 'public-only', 'allowlist'] as const;
export type OutboundPolicy = (typeof OUTBOUND_POLICIES)[number];

/** What settings say of the way out, before `outboundRules` reads it. */
export interface OutboundAccess {
  readonly policy: OutboundPolicy;
  /** Hosts, addresses and networks that may be reached besides. */
  readonly allow: readonly string[];
  /** Ports of the server and its state database: refused at the machine's own addresses. */
  readonly ownPorts: readonly number[];
}

export interface OutboundRules {
  readonly policy: OutboundPolicy;
  readonly allow: AllowList;
  /** Ports of the server and its state database: refused at the machine's own addresses. Read at each decision. */
  readonly ownPorts: Iterable<number>;
  /** The machine's own addresses; default: those of its interfaces. */
  readonly ownAddresses?: () => readonly string[];
}

/** The rules of settings whose check has let the list pass. */
export function outboundRules(
  { policy, allow }: { readonly policy: OutboundPolicy; readonly allow: readonly string[] },
  ownPorts: Iterable<number>,
): OutboundRules {
  const parsed = parseAllowList(allow);
  if (!parsed.ok) throw new Error(`the outbound list holds "${parsed.entry}", which its check let pass`);
  return { policy, allow: parsed.list, ownPorts };
}

/** Judges a URL as far as it can be without a look-up, and returns it parsed; a URL itself is returned as it is. `OUTBOUND_INVALID`, `OUTBOUND_REFUSED`. */
export function requireUrl(rules: OutboundRules, text: string | URL): URL {
  const url = typeof text === 'string' ? URL.parse(text) : text;
  if (url === null) throw invalid('This is not a URL: give one such as "https://example.com/path"');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid(`A URL must begin with "https://" or "http://", not "${url.protocol.slice(0, 20)}"`);
  if (url.username !== '' || url.password !== '')
    throw invalid(`The URL of "${url.hostname}" must hold no user name or password`);
  if (url.hostname === '') throw invalid('The URL names no host');
  const host = hostOf(url.hostname);
  const address = parseAddress(host);
  const target = { host, port: portOf(url), address };
  // Without an address only the list can tell, and only where it is all that counts.
  if (address === null ? isHopeless(rules, target) : !mayReach(rules, target)) throw refused(rules, host);
  return url;
}

/** Whether a connection to this address, asked for by this name, is let through. */
export function mayReach(rules: OutboundRules, target: Target): boolean {
  const { address, port } = target;
  if (address === null) return false;
  if (isAllowed(rules.allow, target)) return true;
  if (rules.policy === 'allowlist') return false;
  if (rules.policy === 'public-only' && !isGlobal(address)) return false;
  return !isLocalOrMetadata(address) && !isOwnPort(rules, address, port);
}

/** The refusal, with the setting that decides. Never says what the host's address is. */
export function refused({ policy }: OutboundRules, host: string): OutboundError {
  return new OutboundError(
    'OUTBOUND_REFUSED',
    `The server may not connect to "${host.slice(0, 255)}": its outbound policy is "${policy}". ` +
      'Whoever runs the server can list the host in SVC_OUTBOUND_ALLOW',
  );
}

/** Of `HOST:PORT` or a URL; 0 where it names none, such as a Unix socket's path. */
export function portOfAddress(address: string): number {
  const url = /^https?:/i.test(address) ? URL.parse(address) : null;
  return url === null ? Number(/:(\d+)$/.exec(address)?.[1] ?? 0) : portOf(url);
}

/** A host as rules compare it: without brackets and the final dot. */
export function hostOf(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

export function portOf(url: Pick<URL, 'port' | 'protocol'>): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** A name that the list does not have may still have an address that it has, where it has networks. */
function isHopeless({ policy, allow }: OutboundRules, target: Target): boolean {
  if (policy !== 'allowlist' || isAllowed(allow, target)) return false;
  return !allow.some(({ kind }) => kind === 'network');
}

function isOwnPort(
  { ownPorts, ownAddresses = interfaceAddresses }: OutboundRules,
  address: Address,
  port: number,
) {
  if (![...ownPorts].includes(port)) return false;
  const text = address.toString();
  return ownAddresses().some((own) => parseAddress(own)?.toString() === text);
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
}

function invalid(message: string): OutboundError {
  return new OutboundError('OUTBOUND_INVALID', message);
}
