import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../base/errors.ts';
import { createPasswordStrength, type PasswordUse } from './password-strength.ts';

/** argon2id, 19 MiB, two passes. Source: OWASP Password Storage Cheat Sheet. */
const MEMORY_KIB = 19_456;
const PASSES = { timeCost: 2, parallelism: 1 } as const;
const AT_ONCE_MAX = 2;
const WAITING_MAX = 200;

/**
 * Hashes and checks passwords, at most two at a time, so that a flood of logins cannot exhaust the server's memory;
 * `RATE_LIMITED` when more than 200 wait.
 */
export interface Passwords {
  /** For storing. `VALIDATION_ERROR` if it is too easy to guess. */
  hash(password: string, use?: PasswordUse): Promise<string>;
  /** `stored` null (no such user) costs the same as a wrong password, and is false. */
  verify(stored: string | null, password: string): Promise<boolean>;
}

export interface PasswordLimits {
  /** How many wait for one of the two places. Default 200. */
  readonly waitingMax?: number;
  /** Memory of each hash that is made, in KiB; tests that check many passwords take less. Default 19,456. */
  readonly memoryKib?: number;
}

export function createPasswords({
  waitingMax = WAITING_MAX,
  memoryKib = MEMORY_KIB,
}: PasswordLimits = {}): Passwords {
  const options = { memoryCost: memoryKib, ...PASSES };
  const gate = new Gate(AT_ONCE_MAX, waitingMax);
  const requireStrength = createPasswordStrength();
  let decoy: Promise<string> | null = null;
  return {
    async hash(password, use = {}) {
      await requireStrength(password, use);
      return gate.run(() => hash(password, options));
    },
    async verify(stored, password) {
      decoy ??= hash('nobody has this password', options);
      const against = stored ?? (await decoy);
      const right = await gate.run(() => verify(against, password));
      return right && stored !== null;
    },
  };
}

class Gate {
  readonly #atOnceMax: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnceMax: number, waitingMax: number) {
    this.#atOnceMax = atOnceMax;
    this.#waitingMax = waitingMax;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnceMax) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // The place goes to the next in line, or is freed: a newcomer cannot jump the queue.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= this.#waitingMax)
      throw new AppError('RATE_LIMITED', 'Too many sign-ins at once; try again', { retryAfterSeconds: 1 });
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
