import { isIP, type LookupFunction } from 'node:net';
import { StatsD } from 'hot-shots';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Outbound } from '../base/outbound/outbound.ts';
import type { MetricPoint, MetricsBackend } from './backend.ts';
import type { BackendConfig } from './backend-config.ts';
import { FailureLog } from './failure-log.ts';
import { RecentBatches } from './serverdb/recent-batches.ts';

const CLOSE_MS_MAX = 1_000;

export interface StatsdDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly outbound: Pick<Outbound, 'lookup'>;
  /** Called for each packet that could not be sent. */
  readonly onFailed?: () => void;
}

/**
 * Sends points as StatsD packets over UDP, buffered by bytes and time, without confirmation: nothing waits, nothing rejects,
 * and failures are counted and logged once a minute. A repeated batch is not sent again, as far as `RecentBatches` remembers.
 * Counters go as `c`, gauges as `g`, timings as `ms`. Source:
 * https://github.com/statsd/statsd/blob/master/docs/metric_types.md, and for tags
 * https://docs.datadoghq.com/developers/dogstatsd/datagram_shell/.
 */
export function openStatsd(config: BackendConfig<'statsd'>, deps: StatsdDeps): MetricsBackend {
  const failures = new FailureLog({ ...deps, message: 'the statsd backend fails' });
  const plainNames = config.tag_format === 'none';
  const client = new StatsD({
    host: config.host,
    port: config.port,
    prefix: config.prefix,
    protocol: 'udp',
    maxBufferSize: config.buffer_bytes,
    bufferFlushInterval: config.flush_ms,
    udpSocketOptions: {
      type: isIP(config.host) === 6 ? 'udp6' : 'udp4',
      lookup: createCachedLookup(
        config.host,
        () => deps.clock.now(),
        deps.outbound.lookup(config.host, config.port),
      ) as never,
    },
    globalTags: plainNames ? {} : config.tags,
    // Nothing from the environment: only the configuration counts.
    ...{ includeDataDogTags: false, datadog: false, includeDatadogTelemetry: false, telegraf: false },
    errorHandler: (error) => {
      failures.add(error);
      deps.onFailed?.();
    },
  });
  const recent = new RecentBatches();

  function send({ name, kind, value, tags }: MetricPoint): void {
    const key = plainNames ? foldedName(name, { ...config.tags, ...tags }) : name;
    const shown = plainNames ? {} : oneLine(tags);
    if (kind === 'counter') client.increment(key, value, shown);
    else if (kind === 'timing') client.timing(key, value, shown);
    else {
      // A signed value changes a gauge instead of setting it.
      if (value < 0 && plainNames) client.gauge(key, 0, shown);
      client.gauge(key, value, shown);
    }
  }

  return {
    durable: false,
    async write(points) {
      for (const point of recent.take(points)) send(point);
    },
    stored: null,
    close: () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, CLOSE_MS_MAX);
        client.close(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

/** `step.rows_in.kind.load.step.write.task.orders`: tags by key, for servers without tags. */
export function foldedName(name: string, tags: Readonly<Record<string, string>>): string {
  const part = (text: string) => (text === '' ? '_' : text.replace(/[^A-Za-z0-9_-]/g, '_'));
  const parts = Object.keys(tags)
    .sort()
    .flatMap((key) => [part(key), part(tags[key] ?? '')]);
  return [name, ...parts].join('.');
}

/** A line break in a value would start another metric. */
function oneLine(tags: Readonly<Record<string, string>>): Record<string, string> {
  const clean = (text: string) => text.replace(/[\p{Cc}#@]/gu, '_');
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [clean(key), clean(value)]));
}

const FOUND_KEPT_MS = 60_000;
const FAILURE_KEPT_MS = 10_000;
/** Packets waiting for the name lookup; more are lost. */
const WAITING_MAX = 1_000;

type Answer = (error: Error | null, address: string, family: number) => void;

interface Known {
  readonly error: Error | null;
  readonly address: string;
  readonly until: number;
}

/**
 * Looks up one host at most once a minute, and a missing one every ten seconds: many packets that are lost anyway must not fill
 * the threads in which the system resolves names.
 */
function createCachedLookup(target: string, now: () => number, lookup: LookupFunction) {
  let known: Known | null = null;
  let waiting: Answer[] | null = null;
  return (host: string, options: number | { readonly family?: number }, done: Answer): void => {
    // The address that the socket binds itself to is asked for too; it leads nowhere.
    const family = (typeof options === 'number' ? options : options.family) === 6 ? 6 : 4;
    if (host !== target && isIP(host) !== 0) done(null, host, isIP(host));
    else if (known !== null && now() < known.until) done(known.error, known.address, family);
    else if (waiting === null) begin(host, family, done);
    else if (waiting.length < WAITING_MAX) waiting.push(done);
    else done(new Error('The host is still being looked up'), '', family);
  };

  function begin(host: string, family: 4 | 6, done: Answer): void {
    waiting = [done];
    lookup(host, { family }, (error, found) => {
      const address = typeof found === 'string' ? found : (found[0]?.address ?? '');
      const told = waiting ?? [];
      waiting = null;
      known = { error, address, until: now() + (error === null ? FOUND_KEPT_MS : FAILURE_KEPT_MS) };
      for (const tell of told) tell(error, address, family);
    });
  }
}
