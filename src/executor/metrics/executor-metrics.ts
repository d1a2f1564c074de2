import { type Clock, sleep } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { Outbound } from '../../base/outbound/outbound.ts';
import { type MetricsBackend, withTags } from '../../metering/backend.ts';
import { type BackendSettings, openBackend } from '../../metering/open-backend.ts';
import type { ControlPlaneClient, Lease, RunSpec } from '../../protocol/control-plane.ts';
import type { MetricFlow } from './metric-flow.ts';
import type { MetricDestination, NumberedMetrics } from './metric-sender.ts';

/** Attempts that have ended and whose metrics are still on their way; beyond it the oldest are given up. */
const LATE_FLOWS_MAX = 200;
const BACKENDS_MAX = 20;
const BACKEND_IDLE_MS = 5 * 60_000;

export interface ExecutorMetricsDeps {
  readonly client: Pick<ControlPlaneClient, 'reportMetrics'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The way to the backends that tasks name. */
  readonly outbound: Outbound;
  readonly random: () => number;
}

interface Kept {
  readonly backend: Promise<MetricsBackend | null>;
  users: number;
  idleSince: number;
}

type Entry = RunSpec['metrics'][number];

/**
 * Where the metrics of this executor's runs go. Those of a task without a `metrics` section go to the control plane. A task's own
 * backends are opened here, in the executor and never in a runner, and shared by the runs that name the same; only `localdb` is
 * the control plane's to write. Metrics of ended attempts are kept until they are taken, within bounds, and hold up no new work.
 */
export class ExecutorMetrics {
  readonly #deps: ExecutorMetricsDeps;
  readonly #kept = new Map<string, Kept>();
  readonly #late = new Map<MetricFlow, AbortController>();

  constructor(deps: ExecutorMetricsDeps) {
    this.#deps = deps;
  }

  /** Whether metrics of ended attempts are still on their way. */
  get isBusy(): boolean {
    return this.#late.size > 0;
  }

  /** Never rejects: what cannot be opened is logged, and is no destination. */
  async destinationsOf(
    { lease }: { readonly lease: Lease },
    { task_name, metrics }: Pick<RunSpec, 'task_name' | 'metrics'>,
  ): Promise<MetricDestination[]> {
    const own = metrics.filter((entry) => entry.own !== undefined);
    if (own.length === 0) return [this.controlPlane(lease)];
    const direct = own.filter(({ backend }) => !['noop', 'localdb'].includes(backend));
    const opened = await Promise.all(direct.map((entry) => this.#ownDestination(lease, task_name, entry)));
    const found = opened.filter((destination) => destination !== null);
    return own.some(({ backend }) => backend === 'localdb') ? [this.controlPlane(lease), ...found] : found;
  }

  controlPlane(lease: Lease): MetricDestination {
    return {
      send: async ({ batchSeq, metrics }) => {
        const { outcome } = await this.#deps.client.reportMetrics({ lease, batch_seq: batchSeq, metrics });
        return outcome !== 'STALE_LEASE' && outcome !== 'RUN_ABSENT';
      },
      release: () => undefined,
    };
  }

  /** Goes on with the metrics of an ended attempt for at most `ms`. */
  adopt(flow: MetricFlow, ms: number): void {
    const [oldest] = this.#late.keys();
    if (this.#late.size >= LATE_FLOWS_MAX && oldest !== undefined) this.#giveUp(oldest);
    const done = new AbortController();
    this.#late.set(flow, done);
    void Promise.race([flow.flush(), sleep(ms, done.signal)]).then(() => this.#giveUp(flow));
  }

  wake(): void {
    for (const flow of this.#late.keys()) flow.wake();
  }

  /** Forgets what was not taken, and closes what is open; what they have buffered still goes out. */
  async stop(): Promise<void> {
    for (const flow of [...this.#late.keys()]) this.#giveUp(flow);
    const open = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.allSettled(open.map(async ({ backend }) => (await backend)?.close()));
  }

  #giveUp(flow: MetricFlow): void {
    this.#late.get(flow)?.abort();
    this.#late.delete(flow);
    flow.stop();
  }

  async #ownDestination(lease: Lease, taskName: string, entry: Entry): Promise<MetricDestination | null> {
    const kept = this.#use(entry as BackendSettings);
    const backend = await kept.backend;
    if (backend === null) return null;
    const { run_id, attempt } = lease;
    const about = { run_id, attempt, task_id: entry.own?.task_id ?? null, task_name: taskName };
    return {
      send: async (batch) => {
        const points = pointsOf(about, batch);
        const tagged = entry.backend === 'statsd' ? withTags(points, entry.own?.tags ?? {}) : points;
        await backend.write(tagged).catch((cause: unknown) => {
          throw new AppError('NOT_READY', 'The metrics backend did not accept the batch', { cause });
        });
        return true;
      },
      release: () => this.#release(kept),
    };
  }

  #use(entry: BackendSettings): Kept {
    this.#closeIdle();
    const { backend, config } = entry;
    const key = canonicalJson({ backend, config });
    const known = this.#kept.get(key);
    const kept = known ?? { backend: this.#open(entry), users: 0, idleSince: 0 };
    kept.users += 1;
    this.#kept.set(key, kept);
    return kept;
  }

  #release(kept: Kept): void {
    kept.users -= 1;
    kept.idleSince = this.#deps.clock.now();
    this.#closeIdle();
  }

  #closeIdle(): void {
    const now = this.#deps.clock.now();
    for (const [key, { backend, users, idleSince }] of this.#kept) {
      if (users > 0) continue;
      if (now - idleSince < BACKEND_IDLE_MS && this.#kept.size <= BACKENDS_MAX) continue;
      this.#kept.delete(key);
      void backend.then((opened) => opened?.close()).catch(() => undefined);
    }
  }

  async #open(entry: BackendSettings): Promise<MetricsBackend | null> {
    const { clock, logger, random, outbound } = this.#deps;
    try {
      return await openBackend(entry, {
        ...{ clock, logger, random, outbound, stateUrl: null },
        onDropped: () => undefined,
        localdbPath: () => {
          throw new Error('a task’s localdb backend is the control plane’s');
        },
      });
    } catch (error) {
      logger.warn({ err: error, backend: entry.backend }, 'a metrics backend of a task could not be opened');
      return null;
    }
  }
}

interface About {
  readonly run_id: number;
  readonly attempt: number;
  readonly task_id: number | null;
  readonly task_name: string;
}

function pointsOf(about: About, { batchSeq, metrics }: NumberedMetrics) {
  return metrics.flatMap((metric, index) =>
    Number.isFinite(metric.value) ? [{ ...about, batch_seq: batchSeq, index, ...metric }] : [],
  );
}
