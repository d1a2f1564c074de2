import { AppError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type {
  ControlPlaneClient,
  ExecutorLimits,
  ExecutorSession,
  RegisterRequest,
  Registration,
} from '../../protocol/control-plane.ts';
import { isRevokedKey } from '../../protocol/executor-key.ts';
import type { ExecutorProcessLimits } from '../executor-limits.ts';
import { Backoff } from './backoff.ts';
import { LinkedSession, type SessionPorts } from './linked-session.ts';

export interface ControlLinkOptions {
  readonly client: Pick<ControlPlaneClient, 'register' | 'openSession'>;
  readonly request: RegisterRequest;
  readonly limits: Pick<ExecutorProcessLimits, 'attachMs' | 'backoffMinMs' | 'backoffMaxMs'>;
  readonly random: () => number;
  readonly logger: Logger;
}

export interface ControlLinkPorts extends SessionPorts {
  /** Before each session that follows a registration. */
  onRegistered(limits: ExecutorLimits): void;
  /** The key is revoked: there will be no session any more. */
  onRefused(): void;
}

/**
 * Keeps a session with the control plane for as long as it runs: registers, opens a session that attaches what is held, and
 * begins again after a wait when that ends, for ever. It registers again, as the same instance, after `AUTH_ERROR`: a control
 * plane that started anew may know neither the executor nor its token. A revoked key alone is final.
 */
export class ControlLink {
  readonly #options: ControlLinkOptions;
  readonly #ports: ControlLinkPorts;
  readonly #backoff: Backoff;
  #registration: Registration | null = null;
  #session: ExecutorSession | null = null;

  constructor(options: ControlLinkOptions, ports: ControlLinkPorts) {
    this.#options = options;
    this.#ports = ports;
    const { limits, random } = options;
    this.#backoff = new Backoff({ minMs: limits.backoffMinMs, maxMs: limits.backoffMaxMs, random });
  }

  /** The session that stands now, attached. */
  get session(): ExecutorSession | null {
    return this.#session;
  }

  get registration(): Registration | null {
    return this.#registration;
  }

  /** Runs until `signal` aborts, or the key is refused for ever; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const error = await this.#round(signal);
      if (signal.aborted) return;
      if (isRevokedKey(error)) {
        this.#options.logger.error({}, `${error.message}; this executor gives up its runs and exits`);
        this.#ports.onRefused();
        return;
      }
      if (error instanceof AppError && error.code === 'AUTH_ERROR') this.#registration = null;
      const why = error === null ? 'it was closed' : messageOf(error);
      this.#options.logger.warn({ why }, 'no session with the control plane; retrying');
      await this.#backoff.wait(signal, error);
    }
  }

  /** Resolves with what ended it; null where the session ended in good order. */
  async #round(signal: AbortSignal): Promise<unknown> {
    const { client, request, limits } = this.#options;
    try {
      if (this.#registration === null) {
        this.#registration = await client.register(request);
        this.#ports.onRegistered(this.#registration.limits);
      }
      if (signal.aborted) return null;
      const heartbeatMs = this.#registration.limits.heartbeat_ms;
      const session = new LinkedSession(
        { client, attachMs: limits.attachMs, heartbeatMs },
        { ...this.#ports, onOpen: (opened) => this.#open(opened) },
      );
      const close = () => session.close();
      signal.addEventListener('abort', close, { once: true });
      try {
        return await session.ended;
      } finally {
        signal.removeEventListener('abort', close);
        this.#session = null;
      }
    } catch (error) {
      return error;
    }
  }

  #open(session: ExecutorSession): void {
    this.#backoff.reset();
    this.#session = session;
    this.#ports.onOpen(session);
  }
}
