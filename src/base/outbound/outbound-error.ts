/**
 * Why a request that was to leave the server did not, or brought nothing back: `REFUSED` by the settings; `INVALID` a URL that is
 * none for this; `TIMEOUT`, `TOO_LARGE` an answer past its limit; `FAILED` no connection, or one that broke.
 */
export type OutboundFault =
  | 'OUTBOUND_REFUSED'
  | 'OUTBOUND_INVALID'
  | 'OUTBOUND_TIMEOUT'
  | 'OUTBOUND_TOO_LARGE'
  | 'OUTBOUND_FAILED';

/** Thrown by what `createOutbound` makes. The message is for whoever gave the URL: it names the host, never the rest of the URL. */
export class OutboundError extends Error {
  readonly code: OutboundFault;

  constructor(code: OutboundFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.code = code;
  }
}

/** Of a thrown error and its causes the first `OutboundError`; null where there is none. */
export function outboundErrorIn(thrown: unknown): OutboundError | null {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth++) {
    if (error instanceof OutboundError) return error;
    const inner: unknown = error instanceof AggregateError ? error.errors[0] : null;
    error = inner instanceof OutboundError ? inner : error.cause;
  }
  return null;
}

export function tooLarge(bytesMax: number): OutboundError {
  return new OutboundError('OUTBOUND_TOO_LARGE', `The answer is larger than ${bytesMax} bytes`);
}
