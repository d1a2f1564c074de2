import type { Server, ServerUnaryCall, ServerWritableStream, sendUnaryData } from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import { toServiceError } from '../grpc-status.ts';
import { rpcTableOf } from '../wire/definition/service-definition.ts';

type Status = 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN';
interface Asked {
  readonly service: string;
}
interface Told {
  readonly status: Status;
}
type WatchCall = ServerWritableStream<Asked, Told>;

interface Watcher {
  readonly call: WatchCall;
  readonly service: string;
}

export interface HealthServiceOptions {
  /** Names that are known; `` is the server as a whole. */
  readonly services: readonly string[];
  readonly watchersMax: number;
  /** This peer has asked. */
  readonly probes: (peer: string) => void;
  /** Keeps the peer's connection for a watch; returns the release. */
  readonly hold: (peer: string) => () => void;
}

const HEALTH = rpcTableOf('grpc.health.v1.Health', ['Check', 'Watch', 'List']);

export const HEALTH_PATHS: ReadonlySet<string> = new Set(Object.values(HEALTH).map(({ path }) => path));

/**
 * `grpc.health.v1.Health`, open to anybody: load balancers and Kubernetes hold no key. Not the handlers of `grpc-health-check`:
 * their watches cannot be bounded and outlast the server's stop.
 * Source: https://github.com/grpc/grpc/blob/master/doc/health-checking.md.
 */
export class HealthService {
  readonly #options: HealthServiceOptions;
  readonly #watchers = new Set<Watcher>();
  #status: 'SERVING' | 'NOT_SERVING' = 'SERVING';

  constructor(options: HealthServiceOptions) {
    this.#options = options;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  addTo(server: Server): void {
    server.addService(HEALTH as Parameters<Server['addService']>[0], {
      Check: (call: ServerUnaryCall<Asked, Told>, reply: sendUnaryData<Told>) => this.#check(call, reply),
      Watch: (call: WatchCall) => this.#watch(call),
      List: (call: ServerUnaryCall<object, object>, reply: sendUnaryData<object>) => {
        this.#options.probes(call.getPeer());
        const named = this.#options.services.map((name) => [name, { status: this.#status }]);
        reply(null, { statuses: Object.fromEntries(named) });
      },
    });
  }

  /** `NOT_SERVING` from now on; watchers are notified, and their calls end. */
  stop(): void {
    this.#status = 'NOT_SERVING';
    for (const { call, service } of this.#watchers) {
      call.write({ status: this.#statusOf(service) });
      call.end();
    }
  }

  #statusOf(service: string): Status {
    return this.#options.services.includes(service) ? this.#status : 'SERVICE_UNKNOWN';
  }

  #check(call: ServerUnaryCall<Asked, Told>, reply: sendUnaryData<Told>): void {
    this.#options.probes(call.getPeer());
    const status = this.#statusOf(call.request.service);
    if (status !== 'SERVICE_UNKNOWN') reply(null, { status });
    else reply(toServiceError(new AppError('NOT_FOUND', `There is no service "${call.request.service}"`)));
  }

  #watch(call: WatchCall): void {
    const { watchersMax, probes, hold } = this.#options;
    const peer = call.getPeer();
    probes(peer);
    if (this.#watchers.size >= watchersMax) {
      const message = `${watchersMax} clients already watch the health of this server; use "Check"`;
      call.emit('error', toServiceError(new AppError('RATE_LIMITED', message, { retryAfterSeconds: 10 })));
      return;
    }
    const watcher = { call, service: call.request.service };
    const release = hold(peer);
    this.#watchers.add(watcher);
    call.once('cancelled', () => {
      if (this.#watchers.delete(watcher)) release();
    });
    call.write({ status: this.#statusOf(watcher.service) });
    if (this.#status === 'NOT_SERVING') call.end();
  }
}
