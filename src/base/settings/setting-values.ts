import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { isAddressRange } from '../outbound/address.ts';

/** What the values of settings may be, as text of the environment or as YAML. */

/**
 * A whole number, or its digits: the environment has only text. Nothing else passes for one, not `null`, `true` or `0x10`. The
 * problem shows what was given, such as `-1`.
 */
export const count = (min: number, max: number) => {
  const error = ({ input }: { readonly input?: unknown }) =>
    `must be a whole number from ${min} to ${max}, not ${JSON.stringify(input)}`;
  const digits = (value: unknown) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return z.preprocess(digits, z.int({ error }).min(min, { error }).max(max, { error }));
};
export const port = count(0, 65_535);
/** A name or an address to listen on, an IPv6 address without brackets. */
export const host = z
  .string()
  .refine(
    (text) => /^[\w.-]+$/.test(text) || isIPv6(text),
    'must be a host name or an address alone, such as "0.0.0.0"; the port is a setting of its own',
  );
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
  .transform((v) => v === true || v === 'true' || v === '1');
export const list = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(',')
      .map((s) => s.trim())
      .filter(Boolean),
  ),
]);
/** `true` trusts one proxy, the nearest: it alone is known to have written the last address of the header. */
export const proxies = z.union([
  flag.transform((trusted) => (trusted ? 1 : 0)),
  count(1, 10),
  list.refine(
    (addresses) => addresses.length > 0 && addresses.every(isAddressRange),
    'must be true, false, a number of proxies, or addresses such as "10.0.0.0/8" by commas',
  ),
]);
export const secret = z
  .string()
  .min(32, 'must be at least 32 characters long; make one with: openssl rand -hex 32');

export const optional = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);
