import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A parsed address: IPv4, or IPv6 that embeds no IPv4 address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Prefixes under which an IPv6 address is one IPv4 address written another way: mapped (RFC 4291) and NAT64 (RFC 6052). */
const SAME_AS_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'].map((cidr) => ipaddr.IPv6.parseCIDR(cidr));

/** Prefixes under which the last 32 bits may be routed as IPv4: compatible (RFC 4291), SIIT (RFC 7915), local NAT64 (RFC 8215). */
const ENDS_IN_IPV4 = ['::/96', '::ffff:0:0:0/96', '64:ff9b:1::/48'].map((cidr) =>
  ipaddr.IPv6.parseCIDR(cidr),
);
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');
const TEREDO = ipaddr.IPv6.parseCIDR('2001::/32');
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** The identifier of ISATAP within the last 64 bits (RFC 5214), without its two bits of scope. */
const ISATAP = 0x5efe;

/** Services of clouds that give credentials to whoever asks, where they are not link-local: AWS, Google, Alibaba, Azure, Oracle. */
const METADATA = ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'];

/**
 * The address of a literal as `URL` or a resolver gives it, without brackets; null where it is none. An IPv6 address that is an
 * IPv4 address in another spelling becomes that; a zone id is dropped.
 */
export function parseAddress(text: string): Address | null {
  const [plain = ''] = text.split('%');
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return ipaddr.IPv4.parse(plain);
  if (!ipaddr.IPv6.isValid(plain)) return null;
  const address = ipaddr.IPv6.parse(plain);
  return SAME_AS_IPV4.some((range) => address.match(range)) ? ipv4At(address, 6) : address;
}

/** Whether it is this machine, its own network alone, or a service that gives a cloud's credentials. */
export function isLocalOrMetadata(address: Address): boolean {
  return [address, ...within(address)].some(
    (one) =>
      ['loopback', 'unspecified', 'linkLocal'].includes(one.range()) ||
      METADATA.includes(one.toString().toLowerCase()),
  );
}

/** Whether anybody on the Internet has it: global unicast, and no way round to an address that is not. */
export function isGlobal(address: Address): boolean {
  if (address.range() !== 'unicast' || METADATA.includes(address.toString())) return false;
  return isIpv4(address) || (address.match(GLOBAL_UNICAST) && within(address).length === 0);
}

export function isIpv4(address: Address): address is ipaddr.IPv4 {
  return address.kind() === 'ipv4';
}

/** The IPv4 addresses to which routers and tunnels may take an IPv6 address. */
function within(address: Address): ipaddr.IPv4[] {
  if (isIpv4(address)) return [];
  if (address.match(SIX_TO_FOUR)) return [ipv4At(address, 1)];
  if (address.match(TEREDO)) return [ipv4At(address, 2), ipv4At(address, 6, 0xffff)];
  const isatap = address.parts[5] === ISATAP && ((address.parts[4] ?? 0) & 0xfdff) === 0;
  if (isatap || ENDS_IN_IPV4.some((range) => address.match(range))) return [ipv4At(address, 6)];
  return [];
}

/** The 32 bits from the 16-bit group `at` on; Teredo turns them round. */
function ipv4At(address: ipaddr.IPv6, at: number, flip = 0): ipaddr.IPv4 {
  const groups = [at, at + 1].map((index) => (address.parts[index] ?? 0) ^ flip);
  return new ipaddr.IPv4(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Of a host that a server listens on; other names are not looked up, and are not. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** An address, or a network such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits] = text.split('/');
  return isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
}
