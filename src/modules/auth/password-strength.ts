import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { validationError } from '../../base/errors.ts';

/** At 400 failures a day of an account, and 200 of a share link, whoever knows the most common passwords guesses for years. */
const GUESSES_MIN = 1_000_000;
/** The estimate takes time with the square of the length, and a start that is good enough makes the whole so. */
const LOOKED_AT_CHARS_MAX = 64;
const PRODUCT = 'headgate';

/** What a password is chosen for. */
export interface PasswordUse {
  /** The key of the request body. Default: `password`. */
  readonly path?: string;
  /** What others know of its owner: email, name. */
  readonly about?: readonly string[];
}

export type RequireStrength = (password: string, use: PasswordUse) => Promise<void>;

/** Of the process: it is the same for everybody. */
let loaded: Promise<ZxcvbnFactory> | null = null;

/**
 * Returns the check of new passwords: `VALIDATION_ERROR` for one that is guessed within a million tries, such as the email, blanks,
 * repeats, keyboard rows and leaked passwords. The estimator is loaded at its first use: it takes 0.3 s and 8 MB of heap.
 * Source: Wheeler, zxcvbn: Low-Budget Password Strength Estimation, USENIX Security 2016.
 */
export function createPasswordStrength(): RequireStrength {
  return async (password, { path = 'password', about = [] }) => {
    loaded ??= load();
    const estimator = await loaded;
    const known = [PRODUCT, ...about, ...about.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))];
    const { guesses } = estimator.check(
      password.slice(0, LOOKED_AT_CHARS_MAX),
      known.filter((word) => word.length > 1),
    );
    if (guesses >= GUESSES_MIN) return;
    const message =
      'is too easy to guess: take some unrelated words, no well-known password, name, email, repeat or row of keys';
    throw validationError([{ path, message: `"${path}" ${message}` }]);
  };
}

async function load(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common');
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}
