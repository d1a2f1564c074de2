import type { Test } from 'tap';
import { createOutbound, type Outbound } from '../../src/base/outbound/outbound.ts';
import { outboundRules } from '../../src/base/outbound/outbound-policy.ts';

/** What an executor or a server of these tests may reach: its receivers are on this machine. */
export const LOOPBACK_ALLOWED = { policy: 'block-metadata', allow: ['127.0.0.1', '::1'] } as const;

/** The default policy, with `allow` let through; closed when the test ends. */
export function outboundOf(t: Test, allow: readonly string[] = ['127.0.0.1']): Outbound {
  const outbound = createOutbound({ rules: outboundRules({ ...LOOPBACK_ALLOWED, allow }, []) });
  t.teardown(() => outbound.close());
  return outbound;
}
