import type { Problem } from '../../../base/errors.ts';
import type { LogAck, LogFrame } from '../../../protocol/control-plane.ts';
import type { LogLimits } from '../run-log-limits.ts';
import type { LogRetention } from '../run-log-retention.ts';

/** What a log writer's thread is started with. */
export interface LogThreadData {
  readonly statePath: string;
  readonly logsPath: string;
  readonly crashAt: string | null;
  readonly cacheMb: number;
  readonly limits: LogLimits;
}

/** To the thread: frames as they came off the wire, all those of one turn in one message, numbered from `firstId`. */
export type LogThreadRequest =
  | { readonly kind: 'append'; readonly firstId: number; readonly frames: readonly LogFrame[] }
  | { readonly kind: 'forget'; readonly id: number; readonly runIds: readonly number[] }
  | { readonly kind: 'prune'; readonly id: number; readonly retention: LogRetention }
  /** The answer to `secrets_wanted`; null where they cannot be had now. */
  | {
      readonly kind: 'secrets';
      readonly runId: number;
      readonly attempt: number;
      readonly secrets: readonly string[] | null;
    }
  | { readonly kind: 'stop' };

export type LogThreadAnswer =
  | { readonly kind: 'acked'; readonly id: number; readonly ack: LogAck }
  /** Forgotten, or pruned. */
  | { readonly kind: 'done'; readonly id: number }
  /** It can never be stored. */
  | {
      readonly kind: 'refused';
      readonly id: number;
      readonly message: string;
      readonly details: readonly Problem[];
    }
  | { readonly kind: 'limited'; readonly id: number; readonly retryAfterSeconds: number }
  /** It is not known to be stored. */
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

/** What one commit stored. */
export interface LogCommit {
  readonly lines: number;
  readonly bytes: number;
  readonly dropped: number;
  readonly seconds: number;
}

/** From it: the answers of one commit in one message, and questions. */
export type LogThreadMessage =
  | {
      readonly kind: 'answers';
      readonly answers: readonly LogThreadAnswer[];
      readonly commit: LogCommit | null;
    }
  | { readonly kind: 'secrets_wanted'; readonly runId: number; readonly attempt: number };
