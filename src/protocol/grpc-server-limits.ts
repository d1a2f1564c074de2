/** Every limit of the gRPC server; all must be above 0. */
export interface GrpcServerLimits {
  readonly connectionsMax: number;
  /** A connection without one authenticated call is closed after this long. */
  readonly authenticateMs: number;
  readonly connectionStreamsMax: number;
  /** Open streams (sessions, logs, metrics, dead letters) of one executor, over all its connections. */
  readonly executorStreamsMax: number;
  /** Of one message, before and after decompression, in either direction. */
  readonly messageBytesMax: number;
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
  /** A connection without calls is closed after this long. */
  readonly connectionIdleMs: number;
  /** A connection is asked to leave at this age (±10 %), so that keys are proved again. */
  readonly connectionAgeMs: number;
  readonly connectionAgeGraceMs: number;
  /** A session's first message must come within this. */
  readonly attachMs: number;
  /** Batches of one log or metric stream being stored at once; the stream is paused beyond it. */
  readonly batchesInFlightMax: number;
  /** An executor with credits asks for work this often, behind the wake-ups. */
  readonly workPollMs: number;
  /** An assignment that is not acknowledged gives its credit back after this long. */
  readonly assignmentAckMs: number;
  /** Unread control messages of one session; beyond it the executor counts as deaf and the session ends. */
  readonly sessionQueueMax: number;
  /** Batches in one PutDeadLetters call. */
  readonly deadLetterBatchesMax: number;
}

export const GRPC_SERVER_LIMITS: GrpcServerLimits = Object.freeze({
  connectionsMax: 1_000,
  authenticateMs: 5_000,
  connectionStreamsMax: 100,
  executorStreamsMax: 16,
  messageBytesMax: 4 * 1024 * 1024,
  keepaliveMs: 20_000,
  keepaliveTimeoutMs: 10_000,
  connectionIdleMs: 5 * 60_000,
  connectionAgeMs: 60 * 60_000,
  connectionAgeGraceMs: 30_000,
  attachMs: 5_000,
  batchesInFlightMax: 32,
  workPollMs: 1_000,
  assignmentAckMs: 5_000,
  sessionQueueMax: 1_000,
  deadLetterBatchesMax: 1_000,
});
