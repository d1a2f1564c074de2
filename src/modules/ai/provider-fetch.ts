type Fetch = typeof globalThis.fetch;

/** As the libraries of the providers read it. */
const DO_NOT_RETRY = ['x-should-retry', 'false'] as const;

/**
 * `fetch` as providers are asked: no redirect is followed, which would take the key along; a provider that says "later" is not
 * asked again by its library, so that callers are told at once. How much is read of an answer is bounded by `fetch` itself.
 */
export function providerFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const answer = await fetch(input, { ...init, redirect: 'manual' });
    if (answer.status !== 429) return answer;
    const { status, statusText, body } = answer;
    const headers = new Headers(answer.headers);
    headers.set(...DO_NOT_RETRY);
    return new Response(body, { status, statusText, headers });
  };
}
