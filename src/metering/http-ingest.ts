import { type Clock, sleep } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Outbound } from '../base/outbound/outbound.ts';
import { OutboundError } from '../base/outbound/outbound-error.ts';
import type { MetricPoint, MetricsBackend } from './backend.ts';
import { type BackendConfig, INGEST_PATH } from './backend-config.ts';
import { FailureLog } from './failure-log.ts';
import { RecentBatches } from './serverdb/recent-batches.ts';

const POST_POINTS_MAX = 1_000;
const QUEUED_POINTS_MAX = 50_000;
const REQUEST_MS_MAX = 10_000;
const RETRY_MIN_MS = 200;
const RETRY_MAX_MS = 30_000;
const CLOSE_MS_MAX = 2_000;
/** What no repetition changes. */
const REFUSALS: ReadonlySet<string> = new Set(['OUTBOUND_REFUSED', 'OUTBOUND_INVALID']);

export interface HttpIngestDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly outbound: Pick<Outbound, 'fetch'>;
  /** Told how many points were given up. */
  readonly onDropped?: (points: number) => void;
}

/** Opens a backend that posts batches to another Headgate, `{"points": [MetricPoint…]}` with its executor key as bearer. */
export function openHttpIngest(config: BackendConfig<'http'>, deps: HttpIngestDeps): MetricsBackend {
  return new HttpIngest(config, deps);
}

/**
 * One post is under way at a time, tried again with backoff for as long as the other end cannot be reached or asks for it. What
 * does not fit into the queue meanwhile, and what the other end refuses, is dropped and counted.
 */
class HttpIngest implements MetricsBackend {
  readonly durable = false;
  readonly stored = null;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #deps: HttpIngestDeps;
  readonly #failures: FailureLog;
  readonly #recent = new RecentBatches();
  readonly #stopped = new AbortController();
  readonly #queue: MetricPoint[] = [];
  #sending: Promise<void> | null = null;
  #closed = false;

  constructor(config: BackendConfig<'http'>, deps: HttpIngestDeps) {
    this.#url = ingestUrl(config.url);
    this.#headers = {
      'content-type': 'application/json',
      ...(config.key === undefined ? {} : { authorization: `Bearer ${config.key}` }),
    };
    this.#deps = deps;
    this.#failures = new FailureLog({ ...deps, message: 'the http metrics backend fails' });
  }

  async write(points: readonly MetricPoint[]): Promise<void> {
    if (this.#closed) return this.#drop(points.length);
    const fresh = this.#recent.take(points);
    const room = Math.max(0, QUEUED_POINTS_MAX - this.#queue.length);
    for (const point of fresh.slice(0, room)) this.#queue.push(point);
    this.#drop(fresh.length - Math.min(room, fresh.length));
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const done = new AbortController();
    await Promise.race([this.#sending, sleep(CLOSE_MS_MAX, done.signal)]);
    done.abort();
    this.#stopped.abort();
    await this.#sending;
    this.#drop(this.#queue.length);
  }

  async #sendAll(): Promise<void> {
    // What is written in one turn travels together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0 && !this.#stopped.signal.aborted) {
      const points = this.#queue.splice(0, POST_POINTS_MAX);
      if (!(await this.#deliver(JSON.stringify({ points })))) this.#drop(points.length);
    }
  }

  /** False where the points are given up. */
  async #deliver(body: string): Promise<boolean> {
    for (let tries = 0; !this.#stopped.signal.aborted; tries++) {
      const outcome = await this.#post(body);
      if (outcome !== 'again') return outcome === 'taken';
      const waitMs = Math.min(RETRY_MIN_MS * 2 ** tries, RETRY_MAX_MS) * this.#deps.random();
      await sleep(waitMs, this.#stopped.signal);
    }
    return false;
  }

  async #post(body: string): Promise<'taken' | 'again' | 'refused'> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(REQUEST_MS_MAX)]);
    try {
      const request = { method: 'POST', headers: this.#headers, body, signal };
      const { ok, status, body: answer } = await this.#deps.outbound.fetch(this.#url, request);
      for await (const _ of answer ?? []);
      if (ok) return 'taken';
      this.#failures.add(new Error(`The other end answered ${status}`));
      return status >= 500 || status === 429 || status === 408 ? 'again' : 'refused';
    } catch (error) {
      this.#failures.add(error);
      return error instanceof OutboundError && REFUSALS.has(error.code) ? 'refused' : 'again';
    }
  }

  #drop(points: number): void {
    if (points > 0) this.#deps.onDropped?.(points);
  }
}

function ingestUrl(url: string): URL {
  const whole = new URL(url);
  if (whole.pathname === '/') whole.pathname = INGEST_PATH;
  return whole;
}
