import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** A probe's call is answered at once: what is left of it after the goodbye is cut. */
const GOODBYE_MS = 1_000;

export interface ConnectionOptions {
  readonly socket: Socket;
  readonly authenticateMs: number;
  /** Its time to prove a key is over; `isProbe` where it was used for health calls. */
  readonly closing: (isProbe: boolean) => void;
}

/**
 * One accepted connection. Unproved: it has limited time to prove a key. Held: the same, while an admitted watch of the health
 * service is open. Proved: it lasts, until the last key that it has proved is revoked; then it is unproved again.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  #session: ServerHttp2Session | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Fingerprints of what it has proved: behind a proxy several executors share a connection. */
  readonly #keys = new Set<string>();
  #isProbe = false;
  #holds = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#challenge();
  }

  get isProved(): boolean {
    return this.#keys.size > 0;
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  speaks(session: ServerHttp2Session): void {
    this.#session = session;
  }

  proved(key: string): void {
    this.#keys.add(key);
    this.#stopTimer();
  }

  /** Forgets keys that are not valid any more; true where it has to prove another. */
  forget(isValid: (key: string) => boolean): boolean {
    if (!this.isProved) return false;
    for (const key of this.#keys) if (!isValid(key)) this.#keys.delete(key);
    if (this.isProved) return false;
    this.#challenge();
    return true;
  }

  probes(): void {
    this.#isProbe = true;
  }

  /** Lasts until the returned release is called. */
  hold(): () => void {
    this.#holds += 1;
    this.#stopTimer();
    return () => {
      this.#holds -= 1;
      if (this.#holds === 0 && !this.isProved) this.#challenge();
    };
  }

  /** The socket has closed. */
  gone(): void {
    this.#session = null;
    this.#holds = Number.POSITIVE_INFINITY;
    this.#stopTimer();
  }

  destroy(): void {
    this.#options.socket.destroy();
  }

  #challenge(): void {
    this.#stopTimer();
    if (this.#holds > 0 || this.#options.socket.destroyed) return;
    this.#timer = setTimeout(() => this.#timeIsUp(), this.#options.authenticateMs);
  }

  #timeIsUp(): void {
    this.#options.closing(this.#isProbe);
    if (!this.#isProbe || this.#session === null || this.#session.closed) {
      this.destroy();
      return;
    }
    // A probe between two calls is asked to leave, not cut off.
    this.#session.close();
    this.#timer = setTimeout(() => this.destroy(), GOODBYE_MS);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
