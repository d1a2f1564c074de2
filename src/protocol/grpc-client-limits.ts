/** Every limit of the gRPC client. */
export interface GrpcClientLimits {
  /** A unary call, or one PutDeadLetters, is given up after this long. */
  readonly callMs: number;
  /** How long a closing stream may take to be answered. */
  readonly closeMs: number;
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
  readonly reconnectMinMs: number;
  readonly reconnectMaxMs: number;
  /** Of one message in either direction; a larger batch is refused before it is sent. */
  readonly messageBytesMax: number;
  /** Unanswered batches on the wire per stream, and their bytes together; more wait their turn here. */
  readonly batchesInFlightMax: number;
  readonly batchBytesInFlightMax: number;
  /** Item bytes of one dead-letter message. */
  readonly deadLetterBytesMax: number;
}

export const GRPC_CLIENT_LIMITS: GrpcClientLimits = Object.freeze({
  callMs: 15_000,
  closeMs: 2_000,
  keepaliveMs: 20_000,
  keepaliveTimeoutMs: 10_000,
  reconnectMinMs: 100,
  reconnectMaxMs: 5_000,
  messageBytesMax: 4 * 1024 * 1024,
  batchesInFlightMax: 512,
  batchBytesInFlightMax: 2 * 1024 * 1024,
  deadLetterBytesMax: 1024 * 1024,
});
