import { validationError } from '../../base/errors.ts';

export const EMBED_ORIGINS_MAX = 20;
export const EMBED_ORIGIN_CHARS_MAX = 300;

/** Scheme, host and port: nothing that could end the directive of a policy or widen it, such as a wildcard. */
const ORIGIN = /^https?:\/\/(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:]+\])(?::\d{1,5})?$/;

/**
 * The origins as a policy names them, each once. Takes a slash at the end, as browsers copy it, and capital letters.
 * `VALIDATION_ERROR` for what is not an origin.
 */
export function embedOriginsOf(given: readonly string[]): readonly string[] {
  const origins = given.map((text, index) => {
    const origin = originOf(text);
    if (origin !== null) return origin;
    const message = `"${text}" is not an origin: give scheme, host and port alone, such as "https://intranet.example.com"`;
    throw validationError([{ path: `embed_origins[${index}]`, message }]);
  });
  return [...new Set(origins)];
}

function originOf(text: string): string | null {
  const given = text.trim();
  // A parser leaves out line breaks and tabs.
  const url = /\s/.test(given) ? null : URL.parse(given);
  if (url === null || !ORIGIN.test(url.origin)) return null;
  const isOrigin = url.href === `${url.origin}/`;
  return isOrigin ? url.origin : null;
}

/** As they are stored. */
export function joinOrigins(origins: readonly string[]): string | null {
  return origins.length === 0 ? null : origins.join(' ');
}

export function splitOrigins(stored: string | null): readonly string[] {
  return stored === null ? [] : stored.split(' ');
}
