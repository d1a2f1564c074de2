import { PROTOCOL_VERSION } from '../../src/protocol/control-plane.ts';

/** How one simulated executor behaves. Shares are of 1. */
export interface LoadSettings {
  /** Of control planes: `HOST:PORT` for gRPC, `http://…` for the callback routes; it goes to the next one when a session ends. */
  readonly addresses: readonly string[];
  readonly key: string;
  readonly name: string;
  readonly seed: number;
  readonly slots: number;
  readonly recordFile: string;
  /** Lines of a run: between a half and three halves of it. */
  readonly linesPerRun: number;
  readonly batchLines: number;
  /** Of the executor, over all its runs; 0 for as many as it can. */
  readonly linesPerSecondMax: number;
  /** One batch of metrics for each so many rounds of log batches, so many points in each. */
  readonly metricPoints: number;
  /** Runs that end with a retryable error. */
  readonly failShare: number;
  /** Runs that are completed before their last lines are sent. */
  readonly lateShare: number;
  /** Rounds in which batches come twice, out of order, after a gap, or under an epoch that never was. */
  readonly faultShare: number;
  /** Put into some lines. */
  readonly secret: string | null;
  /** Spoken at the registration. */
  readonly protocolVersion: number;
  readonly connectorTypes: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

export const LOAD_DEFAULTS = {
  slots: 2,
  linesPerRun: 400,
  batchLines: 50,
  linesPerSecondMax: 0,
  metricPoints: 10,
  failShare: 0,
  lateShare: 0.15,
  faultShare: 0,
  secret: null,
  protocolVersion: PROTOCOL_VERSION,
  connectorTypes: [],
  labels: {},
} as const;

/** From an executor's process, twice a second and at its end: totals since its start. */
export interface LoadFigures {
  readonly lines: number;
  readonly points: number;
  readonly completed: number;
  /** Milliseconds that batches waited for their acknowledgement: the newest ones. */
  readonly ackMs: readonly number[];
}
