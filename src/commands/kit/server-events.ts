/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
  /** What `Last-Event-ID` says to go on after this event. */
  readonly id: string | null;
}

/** The server sends a comment every 15 s: a stream that says nothing for three times as long is dead. */
const SILENCE_MS_MAX = 45_000;
const EVENT_CHARS_MAX = 16 * 1024 * 1024;

/**
 * The events of a body, until it ends, breaks or falls silent: whoever wants the rest asks again with the last id. Leaving the loop
 * closes the connection. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let held = '';
  try {
    for (;;) {
      const chunk = await nextChunk(reader);
      if (chunk === null || held.length > EVENT_CHARS_MAX) return;
      const blocks = (held + chunk).split('\n\n');
      held = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) yield event;
      }
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

function eventOf(block: string): ServerEvent | null {
  let event = 'message';
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const at = line.indexOf(': ');
    if (at <= 0) continue;
    const value = line.slice(at + 2);
    const field = line.slice(0, at);
    if (field === 'event') event = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
  if (data.length === 0) return null;
  try {
    return { event, id, data: JSON.parse(data.join('\n')) as unknown };
  } catch {
    return null;
  }
}
