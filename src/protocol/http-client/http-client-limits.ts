/** Every limit of the HTTP client; all must be above 0. */
export interface HttpClientLimits {
  /** Any call but a wait for work is given up after this long. */
  readonly callMs: number;
  /** How long a wait for work lasts; proxies must let a request last longer than this. */
  readonly waitMs: number;
  /** A wait that fails for now, or is answered at once with nothing, is begun again after this long. */
  readonly pauseMs: number;
  /** How long closing may wait for answers. */
  readonly closeMs: number;
  readonly connectMs: number;
  /** Connections for everything but batches, so that their volume never delays a cancel. */
  readonly controlConnectionsMax: number;
  /** Connections for logs, metrics and dead letters. */
  readonly batchConnectionsMax: number;
  /** Of one body in either direction; a larger batch is refused before it is sent. */
  readonly messageBytesMax: number;
  /** Item bytes of one dead-letter request. */
  readonly deadLetterBytesMax: number;
}

export const HTTP_CLIENT_LIMITS: HttpClientLimits = Object.freeze({
  callMs: 15_000,
  waitMs: 25_000,
  pauseMs: 1_000,
  closeMs: 2_000,
  connectMs: 5_000,
  controlConnectionsMax: 8,
  batchConnectionsMax: 8,
  messageBytesMax: 4 * 1024 * 1024,
  deadLetterBytesMax: 1024 * 1024,
});
