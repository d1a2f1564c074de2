import { AppError } from '../../base/errors.ts';

type Fetch = typeof globalThis.fetch;

/** Of one answer on the wire; streams say the same in many more bytes. */
const ANSWER_BYTES_MAX = 33_554_432;
/** As the libraries of the providers read it. */
const DO_NOT_RETRY = ['x-should-retry', 'false'] as const;

/**
 * `fetch` as providers are asked: no redirect is followed, which would take the key along; an answer is read up to
 * `bytesMax`; a provider that says "later" is not asked again by its library, so that callers are told at once.
 */
export function providerFetch(fetch: Fetch, bytesMax: number = ANSWER_BYTES_MAX): Fetch {
  return async (input, init) => {
    const answer = await fetch(input, { ...init, redirect: 'manual' });
    const { status, statusText } = answer;
    const headers = new Headers(answer.headers);
    if (status === 429) headers.set(...DO_NOT_RETRY);
    const body = answer.body?.pipeThrough(boundedBytes(bytesMax)) ?? null;
    return new Response(body, { status, statusText, headers });
  };
}

function boundedBytes(bytesMax: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax)
        throw new AppError('CONNECTOR_ERROR', `The model provider's answer is larger than ${bytesMax} bytes`);
      controller.enqueue(chunk);
    },
  });
}
