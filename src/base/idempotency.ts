/** How long an answer is replayed. */
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;
/** A first request without an answer after this time has died with its server: the key may be used again. */
export const IDEMPOTENCY_IN_FLIGHT_MS = 5 * 60_000;

/** Where first answers are kept. Implemented by the state store, used by the HTTP kit. */
export interface IdempotencyStore {
  /** Takes the key for this request, or says what became of the first one. */
  begin(
    principal: string,
    key: string,
    requestHash: string,
  ): Promise<
    | { readonly state: 'mine' }
    | { readonly state: 'in_flight' }
    | { readonly state: 'other_request' }
    | { readonly state: 'done'; readonly status: number; readonly body: string }
  >;
  finish(principal: string, key: string, status: number, body: string): Promise<void>;
  /** The request failed without an effect: the key may be used again. */
  forget(principal: string, key: string): Promise<void>;
}
