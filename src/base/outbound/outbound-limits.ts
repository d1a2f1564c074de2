import type { LookupAddress } from 'node:dns';

export interface OutboundLimits {
  readonly connectMs: number;
  /** Until the head of the answer is there. */
  readonly headersMs: number;
  /** Between two pieces of the answer's body. */
  readonly bodyMs: number;
  /** Of the answer's body, decompressed. */
  readonly responseBytesMax: number;
  /** Connections to one origin. */
  readonly connections: number;
}

export const OUTBOUND_LIMITS: OutboundLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyMs: 30_000,
  responseBytesMax: 16 * 1_048_576,
  connections: 16,
};

/** Resolves a name to all its addresses, as `dns.lookup` with `all`. */
export type ResolveAll = (
  host: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;
