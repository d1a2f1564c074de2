import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
  /** What `Last-Event-ID` says to continue after this event. */
  readonly id: string | null;
}

/** The server sends a comment every 15 s: a stream that is silent for three times as long is dead. */
const SILENCE_MS_MAX = 45_000;
const EVENT_CHARS_MAX = 16 * 1024 * 1024;

/**
 * The events of a body, until it ends, breaks or falls silent: the caller continues with a new request and the last id. Leaving the
 * loop closes the connection.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  const events: EventSourceMessage[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: EVENT_CHARS_MAX,
    onEvent: (event) => events.push(event),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  try {
    while (!isTooLong) {
      const chunk = await nextChunk(reader);
      if (chunk === null) return;
      parser.feed(chunk);
      yield* events.splice(0).flatMap(serverEvent);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** null at the end, and where the connection broke or is silent. */
async function nextChunk(reader: ReadableStreamDefaultReader<string>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SILENCE_MS_MAX);
  });
  const read = reader.read().then(
    ({ done, value }) => (done ? null : value),
    () => null,
  );
  return Promise.race([read, silent]).finally(() => clearTimeout(timer));
}

/** Events whose data is not JSON are left out. */
function serverEvent({ event = 'message', id, data }: EventSourceMessage): ServerEvent[] {
  try {
    return [{ event, id: id ?? null, data: JSON.parse(data) as unknown }];
  } catch {
    return [];
  }
}
