import { OutboundError } from './outbound-error.ts';

/**
 * The same answer, whose body ends with `OUTBOUND_TOO_LARGE` past `bytesMax` decompressed bytes: a small answer may stand for a
 * very large one. What else breaks the body is thrown as `translate` says.
 */
export function boundedResponse(
  response: Response,
  bytesMax: number,
  translate: (error: unknown) => unknown,
): Response {
  const { body } = response;
  if (body === null) return response;
  const reader = body.getReader();
  let bytes = 0;
  const bounded = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        bytes += value.byteLength;
        if (bytes > bytesMax) throw tooLarge(bytesMax);
        controller.enqueue(value);
      } catch (error) {
        controller.error(translate(error));
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers, url } = response;
  const copy = new Response(bounded, { status, statusText, headers: [...headers] });
  return Object.defineProperty(copy, 'url', { value: url });
}

function tooLarge(bytesMax: number): OutboundError {
  return new OutboundError('OUTBOUND_TOO_LARGE', `The answer is larger than ${bytesMax} bytes`);
}
