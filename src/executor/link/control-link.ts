import { AppError } from '../../base/errors.ts';
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

const REFUSALS_MAX = 5;
/** With full jitter up to 5 s between two, about two minutes. */
const KNOWN_REFUSALS_MAX = 50;

function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'AUTH_ERROR';
}

export interface ControlLinkOptions {
  readonly client: Pick<ControlPlaneClient, 'register' | 'openSession'>;
  readonly request: RegisterRequest;
  readonly limits: Pick<ExecutorProcessLimits, 'attachMs' | 'backoffMinMs' | 'backoffMaxMs'>;
  readonly random: () => number;
  readonly logger: Logger;
  /** What the log says of the error that ended a session, or let none begin. */
  readonly whyOf: (error: unknown) => string;
}

export interface ControlLinkPorts extends SessionPorts {
  /** Before each session that follows a registration. */
  onRegistered(limits: ExecutorLimits): void;
  /** The control plane refuses the key, for ever or again and again: there will be no session any more. */
  onRefused(why: AppError): void;
}

/**
 * Keeps a session with the control plane for as long as it runs: registers, opens a session that attaches what is held, and
 * begins again after a wait when that ends, for ever. It registers again, as the same instance, after `AUTH_ERROR`: a control
 * plane that started anew may know neither the executor nor its token. Final are a revoked key, and one with which several
 * registrations in a row were refused: a control plane that is just being given another key has a few minutes for that, if it
 * has once accepted this one.
 */
export class ControlLink {
  readonly #options: ControlLinkOptions;
  readonly #ports: ControlLinkPorts;
  readonly #backoff: Backoff;
  #registration: Registration | null = null;
  #session: ExecutorSession | null = null;
  #wasRegistered = false;
  /** Registrations in a row that the key was refused for. */
  #refusals = 0;

  constructor(options: ControlLinkOptions, ports: ControlLinkPorts) {
    this.#options = options;
    this.#ports = ports;
    const { limits, random } = options;
    this.#backoff = new Backoff({ minMs: limits.backoffMinMs, maxMs: limits.backoffMaxMs, random });
  }

  /** The current session, attached. */
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
      if (isRevokedKey(error) || (isRefusal(error) && this.#isRefusedForGood())) {
        this.#ports.onRefused(error);
        return;
      }
      if (isRefusal(error)) this.#registration = null;
      const why = error === null ? 'it was closed' : this.#options.whyOf(error);
      this.#options.logger.warn({ why }, 'no session with the control plane; retrying');
      await this.#backoff.wait(signal, error);
    }
  }

  /** Of a session it says nothing yet: its token may be the old one of a control plane that started anew. */
  #isRefusedForGood(): boolean {
    if (this.#registration === null) this.#refusals += 1;
    return this.#refusals >= (this.#wasRegistered ? KNOWN_REFUSALS_MAX : REFUSALS_MAX);
  }

  /** Resolves with what ended it; null where the session ended in good order. */
  async #round(signal: AbortSignal): Promise<unknown> {
    const { client, request, limits } = this.#options;
    try {
      if (this.#registration === null) {
        this.#registration = await client.register(request);
        this.#wasRegistered = true;
        this.#refusals = 0;
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
