import { sleep } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { PartsAnswer } from '../base/run-parts.ts';
import { logLevelName } from '../base/run-report.ts';
import type {
  Checkpoint,
  ControlPlaneClient,
  DeadLetterBatch,
  Lease,
  LogBatch,
  MetricBatch,
  Outcome,
  PartsRequest,
  RegisterRequest,
  ReplayRows,
  RunSpec,
} from './control-plane.ts';
import { answerOf, fencedOf } from './http-client/answer-json.ts';
import { HTTP_CLIENT_LIMITS, type HttpClientLimits } from './http-client/http-client-limits.ts';
import { executorPath, METRICS_PATH, REGISTER_PATH, runPath } from './http-client/http-paths.ts';
import { HttpSession } from './http-client/http-session.ts';
import { type HttpClientTls, HttpTransport } from './http-client/http-transport.ts';
import { OrderedLanes } from './http-client/ordered-lanes.ts';
import { splitDeadLetters, type WireDeadLetterBatch } from './wire/dead-letter-batch.ts';
import { toOutcome } from './wire/lease.ts';
import { toLogAck, type WireLogAck } from './wire/log/log-ack.ts';
import { toMetricAck, type WireMetricAck } from './wire/metric-batch.ts';
import { toRegistration, type WireRegistration } from './wire/registration.ts';

export interface HttpClientOptions {
  /** `http://HOST:PORT` or `https://HOST`, with a path where the control plane is served below one. */
  readonly baseUrl: string;
  readonly key: string;
  readonly tls?: HttpClientTls;
  /** Replaces single figures of `HTTP_CLIENT_LIMITS`. */
  readonly limits?: Partial<HttpClientLimits>;
}

/** Until a control plane has said how long it waits for an acknowledgement. */
const ASSIGNMENT_ACK_MS = 5_000;

/**
 * The HTTP binding's executor end, for control planes that are reached through proxies which know no gRPC. Its rules are those of
 * `createGrpcClient`: `register` comes first and again after `AUTH_ERROR`, nothing is sent twice by itself, and `NOT_READY`
 * means anything temporary. Batches of one run arrive in the order of the calls.
 */
export function createHttpClient(options: HttpClientOptions): ControlPlaneClient {
  const limits: HttpClientLimits = { ...HTTP_CLIENT_LIMITS, ...options.limits };
  const { baseUrl, key, tls } = options;
  return new HttpClient(new HttpTransport({ baseUrl, key, tls, limits }), limits);
}

class HttpClient implements ControlPlaneClient {
  readonly #transport: HttpTransport;
  readonly #limits: HttpClientLimits;
  readonly #batches = new OrderedLanes();
  readonly #sessions = new Set<HttpSession>();
  #assignmentAckMs = ASSIGNMENT_ACK_MS;

  constructor(transport: HttpTransport, limits: HttpClientLimits) {
    this.#transport = transport;
    this.#limits = limits;
  }

  async register(request: RegisterRequest) {
    const call = { method: 'POST', path: REGISTER_PATH, session: false } as const;
    const answer = await this.#transport.call({ ...call, body: JSON.stringify(request) });
    const registration = toRegistration(answerOf<WireRegistration>(answer));
    this.#transport.identify(registration);
    this.#assignmentAckMs = registration.limits.assignment_ack_ms;
    return registration;
  }

  openSession(leases: readonly Lease[], handlers: Parameters<ControlPlaneClient['openSession']>[1]) {
    const session = new HttpSession(
      {
        transport: this.#transport,
        limits: this.#limits,
        assignmentAckMs: this.#assignmentAckMs,
        handlers: {
          ...handlers,
          onClosed: (error) => {
            this.#sessions.delete(session);
            handlers.onClosed(error);
          },
        },
      },
      leases,
    );
    this.#sessions.add(session);
    return session;
  }

  async appendLogs(batch: LogBatch) {
    const { run_id } = batch.lease;
    const answer = await this.#batch(`logs/${run_id}`, runPath(run_id, 'logs'), logBatchJson(batch));
    return toLogAck(answerOf<WireLogAck>(answer));
  }

  async reportMetrics({ lease, batch_seq, metrics }: MetricBatch) {
    // JSON has no number that is not finite, and the control plane keeps none.
    const finite = metrics.filter(({ value }) => Number.isFinite(value));
    const body = JSON.stringify({ lease, batch_seq, metrics: finite });
    return toMetricAck(
      answerOf<WireMetricAck>(await this.#batch(`metrics/${lease.run_id}`, METRICS_PATH, body)),
    );
  }

  async runSpec(lease: Lease) {
    const answer = fencedOf<RunSpec>(await this.#read(lease, runPath(lease.run_id, 'spec')));
    if (answer.outcome !== 'ACCEPTED') return answer;
    // A control plane of the release before may not know of these.
    const absent = { secrets: [], replay: null, tasks: {}, keeps_parts: false, foreach: null, help: null };
    return {
      outcome: answer.outcome,
      value: { ...absent, ...(answer.value as Partial<RunSpec>) } as RunSpec,
    };
  }

  async replayRows(lease: Lease, after: number) {
    return fencedOf<ReplayRows>(await this.#read(lease, runPath(lease.run_id, `replay-rows?after=${after}`)));
  }

  async checkpoint(lease: Lease, name: string) {
    const path = `${runPath(lease.run_id, 'checkpoint')}?name=${encodeURIComponent(name)}`;
    return fencedOf<Checkpoint>(await this.#read(lease, path));
  }

  async saveCheckpoint(request: Parameters<ControlPlaneClient['saveCheckpoint']>[0]) {
    const { value = null, lease, ...rest } = request;
    const body = JSON.stringify({ lease, ...rest, value });
    const path = runPath(lease.run_id, 'checkpoint');
    return fencedOf<{ readonly version: number; readonly stored: boolean }>(
      await this.#transport.call({ method: 'POST', path, body, session: true }),
    );
  }

  async parts(request: PartsRequest) {
    const path = runPath(request.lease.run_id, 'parts');
    const body = JSON.stringify(request);
    return fencedOf<PartsAnswer>(await this.#transport.call({ method: 'POST', path, body, session: true }));
  }

  async putDeadLetters(batch: DeadLetterBatch) {
    const path = runPath(batch.lease.run_id, 'dead-letters');
    let reply: { readonly outcome: Outcome; readonly acked_seq: number } | null = null;
    for (const message of splitDeadLetters(batch, this.#limits.deadLetterBytesMax)) {
      const call = {
        method: 'POST',
        path,
        body: deadLetterJson(message),
        session: true,
        batch: true,
      } as const;
      const answer = answerOf<{ outcome: string; acked_seq: number }>(await this.#transport.call(call));
      reply = { outcome: toOutcome(answer.outcome), acked_seq: answer.acked_seq };
      if (reply.outcome !== 'ACCEPTED' && reply.outcome !== 'ALREADY_DONE') return reply;
    }
    if (reply === null) throw new AppError('VALIDATION_ERROR', 'There is no dead letter to send');
    return reply;
  }

  async deregister() {
    const path = executorPath(this.#transport.identity.executor_id);
    const answer = await this.#transport.call({ method: 'DELETE', path, session: true });
    return answerOf<{ requeued: number }>(answer).requeued;
  }

  async close() {
    const over = new AbortController();
    await Promise.race([this.#batches.close(), sleep(this.#limits.closeMs, over.signal)]);
    over.abort();
    for (const session of this.#sessions) session.end(new AppError('NOT_READY', 'The client is closed'));
    await this.#transport.close();
  }

  #batch(lane: string, path: string, body: string): Promise<unknown> {
    const call = { method: 'POST', path, body, session: true, batch: true } as const;
    // Before its turn comes: one that is too large, or comes too early, says nothing of those behind it.
    this.#transport.check(call);
    return this.#batches.send(lane, () => this.#transport.call(call));
  }

  #read(lease: Lease, path: string): Promise<unknown> {
    const headers = {
      'x-lease-attempt': String(lease.attempt),
      'x-lease-epoch': String(lease.epoch),
      'x-lease-token': lease.token,
    };
    return this.#transport.call({ method: 'GET', path, headers, session: true });
  }
}

/** The items' own JSON is spliced in: it was made to measure them. */
function deadLetterJson({ lease, first_seq, items }: WireDeadLetterBatch): string {
  const letters = items.map(({ item_json, origin_json = '', value_json = '', ...letter }) => {
    const rest = JSON.stringify(letter);
    const origin = origin_json === '' ? '' : `"origin":${origin_json},`;
    const value = value_json === '' ? '' : `"value":${value_json},`;
    return `{"item":${item_json === '' ? 'null' : item_json},${origin}${value}${rest.slice(1)}`;
  });
  const head = JSON.stringify({ lease, first_seq });
  return `${head.slice(0, -1)},"items":[${letters.join(',')}]}`;
}

/** The lease first, so that the server need not look for it; the lines' fields are JSON already. */
function logBatchJson({ lease, first_seq, lines }: LogBatch): string {
  const texts = lines.map(({ level, fields_json, ...rest }) => {
    const text = JSON.stringify({ ...rest, level: logLevelName(level) });
    return fields_json === '' ? text : `${text.slice(0, -1)},"fields":${fields_json}}`;
  });
  return `${JSON.stringify({ lease, first_seq }).slice(0, -1)},"lines":[${texts.join(',')}]}`;
}
