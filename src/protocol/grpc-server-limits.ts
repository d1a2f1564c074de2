import type { Rate } from './server/limits/token-bucket.ts';

/** Every limit of the gRPC server; all must be above 0. */
export interface GrpcServerLimits {
  readonly connectionsMax: number;
  /** Of these, those that have proved no key yet; beyond it the oldest is closed. */
  readonly unprovedConnectionsMax: number;
  /** A connection without one authenticated call is closed after this long. */
  readonly authenticateMs: number;
  /** Calls that a connection may make before one of them has proved a key. */
  readonly unprovedCallsMax: number;
  readonly connectionStreamsMax: number;
  /** Open streams (sessions, logs, metrics, dead letters) of one executor, over all its connections. */
  readonly executorStreamsMax: number;
  /** Of one message, before and after decompression, in either direction. */
  readonly messageBytesMax: number;
  /** Of the metadata of one call, names and values. */
  readonly metadataBytesMax: number;
  /** Of one connection: pings, calls that its peer resets, and changes of its settings. */
  readonly pings: Rate;
  readonly resets: Rate;
  readonly settingsFrames: Rate;
  /** Open watches of the health service, which need no key. */
  readonly healthWatchersMax: number;
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
  /** The same for their bytes. */
  readonly batchBytesInFlightMax: number;
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
  unprovedConnectionsMax: 200,
  authenticateMs: 5_000,
  unprovedCallsMax: 100,
  connectionStreamsMax: 100,
  executorStreamsMax: 16,
  messageBytesMax: 4 * 1024 * 1024,
  metadataBytesMax: 16 * 1024,
  pings: { burst: 60, perSecond: 2 },
  resets: { burst: 200, perSecond: 20 },
  settingsFrames: { burst: 20, perSecond: 1 },
  healthWatchersMax: 50,
  keepaliveMs: 20_000,
  keepaliveTimeoutMs: 10_000,
  connectionIdleMs: 5 * 60_000,
  connectionAgeMs: 60 * 60_000,
  connectionAgeGraceMs: 30_000,
  attachMs: 5_000,
  batchesInFlightMax: 1_024,
  batchBytesInFlightMax: 2 * 1024 * 1024,
  workPollMs: 1_000,
  assignmentAckMs: 5_000,
  sessionQueueMax: 1_000,
  deadLetterBatchesMax: 1_000,
});
