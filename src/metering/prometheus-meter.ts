import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServerCounter, ServerHistogram, ServerMeter } from '../base/server-meter.ts';
import { RunMeter, type RunMeterOptions } from './run-meter.ts';

/** The most distinct routes; the rest is `other`, so that callers cannot create unlimited labels. */
const ROUTES_MAX = 400;
const QUICK = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const QUEUED = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

/** The name and help of each counter of the server, without prefix and `_total`. */
export const SERVER_COUNTERS: Readonly<Record<ServerCounter, string>> = {
  log_lines: 'Log lines stored.',
  log_bytes: 'Bytes of the log frames stored.',
  log_lines_dropped: 'Log lines dropped for lack of space, in an executor or here.',
  metric_points: 'Metric points received from executors.',
  metric_points_dropped: 'Metric points, or packets of statsd, lost by a backend that is not awaited.',
  runs_claimed: 'Runs leased to executors.',
  runs_retried: 'Failed attempts that are retried.',
  leases_expired: 'Reclaimed leases of lost executors.',
  executors_lost: 'Executors that were lost: they fell silent without leaving.',
  assignments_expired: 'Assignments that no executor acknowledged in time.',
  triggers_fired: 'Fired triggers.',
  job_runs_late: 'Job runs that have not succeeded within the sla of their template.',
  webhooks_delivered: 'Events delivered to webhooks.',
  webhook_attempts_failed: 'Failed attempts to deliver an event to a webhook.',
  webhooks_given_up: 'Webhook deliveries that failed for good.',
};

/** The same of each histogram, without prefix and `_seconds`. */
export const SERVER_HISTOGRAMS: Readonly<Record<ServerHistogram, string>> = {
  claim_latency: 'Time from a run becoming claimable to its lease.',
  log_ingest_lag: 'Time from the arrival of a log frame to its commit.',
  log_commit: 'Duration of a commit of log lines.',
  metric_ingest_lag: 'Time from the arrival of a metric batch until the backends have stored it.',
  trigger_lateness:
    'Time from a scheduled time of a trigger, with the delay of its jitter, until its job run is started.',
};

const WAITS: ReadonlySet<ServerHistogram> = new Set(['claim_latency', 'trigger_lateness']);

/** Numbers read on demand, by label value; without labels under the key ``. */
export type Reading = () => Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>;

export interface GaugeSpec {
  /** The full name, with prefix and unit: `headgate_queue_depth`. */
  readonly name: string;
  readonly help: string;
  /** null for a single number. */
  readonly label: string | null;
  readonly read: Reading;
}

export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/**
 * The server's own metrics for Prometheus, in a registry of their own. Names are `headgate_*` in base units, and the process's
 * own as prom-client gives them (`process_*`, `nodejs_*`). Source: https://prometheus.io/docs/practices/naming/.
 */
export class PrometheusMeter implements ServerMeter {
  readonly #registry = new Registry();
  readonly #counters: Readonly<Record<ServerCounter, Counter>>;
  readonly #histograms: Readonly<Record<ServerHistogram, Histogram>>;
  readonly #requests: Histogram<'method' | 'route' | 'status'>;
  readonly #routes = new Set<string>();
  readonly runs: RunMeter;
  #settle: () => Promise<void> = () => Promise.resolve();

  constructor(options: RunMeterOptions) {
    const registers = [this.#registry];
    this.#counters = mapped(
      SERVER_COUNTERS,
      (name, help) => new Counter({ name: `headgate_${name}_total`, help, registers }),
    );
    this.#histograms = mapped(SERVER_HISTOGRAMS, (name, help) => {
      const buckets = WAITS.has(name) ? QUEUED : QUICK;
      return new Histogram({ name: `headgate_${name}_seconds`, help, buckets, registers });
    });
    this.#requests = new Histogram({
      name: 'headgate_http_request_duration_seconds',
      help: 'Duration of HTTP requests by route and class of status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
      registers,
    });
    this.runs = new RunMeter(this.#registry, options);
  }

  count(name: ServerCounter, by = 1): void {
    if (by > 0) this.#counters[name].inc(by);
  }

  observe(name: ServerHistogram, seconds: number): void {
    if (Number.isFinite(seconds)) this.#histograms[name].observe(Math.max(0, seconds));
  }

  /** `route` is the pattern that matched, never a path; null for none. */
  observeRequest(method: string, route: string | null, status: number, seconds: number): void {
    const known = route !== null && (this.#routes.has(route) || this.#routes.size < ROUTES_MAX);
    if (known) this.#routes.add(route);
    const labels = { method, route: known ? route : 'other', status: `${Math.floor(status / 100)}xx` };
    this.#requests.observe(labels, seconds);
  }

  /** A failed reading leaves its gauge out of the answer. */
  gauge({ name, help, label, read }: GaugeSpec): void {
    const labelNames = label === null ? [] : [label];
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      async collect() {
        this.reset();
        if (label === null) this.remove();
        const values = await Promise.resolve()
          .then(read)
          .catch(() => ({}));
        for (const [key, value] of Object.entries(values))
          gauge.set(label === null ? {} : { [label]: key }, value);
      },
    });
  }

  /** Awaited before each answer: counts what is not counted yet. */
  settleFirst(settle: () => Promise<void>): void {
    this.#settle = settle;
  }

  /** The process's own metrics: memory, CPU, event loop, garbage collection. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** What `text` can hold of the server's own, by name. */
  described(): MetricDescription[] {
    const own = this.#registry.getMetricsAsArray().filter(({ name }) => name.startsWith('headgate_'));
    const described = own.map((metric) => {
      // The library has the labels of every metric, and no type for them.
      const { labelNames = [] } = metric as { readonly labelNames?: readonly string[] };
      return { name: metric.name, help: metric.help, type: String(metric.type), labels: labelNames };
    });
    return described.sort((a, b) => a.name.localeCompare(b.name));
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text exposition. */
  async text(): Promise<string> {
    await this.#settle();
    return this.#registry.metrics();
  }
}

function mapped<K extends string, V>(
  table: Readonly<Record<K, string>>,
  make: (name: K, help: string) => V,
): Readonly<Record<K, V>> {
  const entries = Object.entries<string>(table).map(([name, help]) => [name, make(name as K, help)] as const);
  return Object.fromEntries(entries) as Record<K, V>;
}
