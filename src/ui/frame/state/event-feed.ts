import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiError } from '../../../client/api-error.ts';

export interface FeedEvent {
  readonly event: string;
  readonly data: unknown;
  /** The place to resume after; null where the event has none. */
  readonly id: string | null;
}

export interface FeedHandlers {
  /** Called with all events that came together. After one named `end` the feed is closed. */
  onEvents(events: readonly FeedEvent[]): void;
  onState(state: FeedState): void;
}

export type FeedState = 'connecting' | 'live' | 'lost' | 'ended' | 'refused';

const againMs = 1_000;
const againMsMax = 10_000;

/**
 * Follows a server-sent event stream until its `end`, or until `signal` aborts. A connection that breaks is made anew after the last
 * place (`Last-Event-ID`), so that nothing is missing and nothing comes twice. One that is refused (4xx) stays closed.
 */
export async function followFeed(url: string, handlers: FeedHandlers, signal: AbortSignal): Promise<void> {
  const place = { id: null as string | null };
  for (let failures = 0; !signal.aborted; ) {
    try {
      handlers.onState(failures === 0 ? 'connecting' : 'lost');
      const response = await open(url, place.id, signal);
      if (response === null) return handlers.onState('refused');
      failures = 0;
      handlers.onState('live');
      if (await readAll(response, place, handlers)) return handlers.onState('ended');
    } catch {
      if (signal.aborted) return;
    }
    failures += 1;
    handlers.onState('lost');
    await pause(Math.min(againMs * 2 ** (failures - 1), againMsMax), signal);
  }
}

/** Null where the server refuses it. */
async function open(url: string, after: string | null, signal: AbortSignal): Promise<ReadableStream | null> {
  const headers = { accept: 'text/event-stream', ...(after !== null && { 'last-event-id': after }) };
  const { ok, status, body } = await fetch(url, { headers, signal });
  if (ok && body !== null) return body;
  if (status >= 500 || status === 429) throw new ApiError(status, unavailable);
  return null;
}

const unavailable = {
  error: 'UNREACHABLE',
  message: 'The stream cannot be read',
  details: [],
  request_id: null,
};

/** True once the stream has said that it is at its end. */
async function readAll(
  body: ReadableStream,
  place: { id: string | null },
  { onEvents }: FeedHandlers,
): Promise<boolean> {
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  let waiting: FeedEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = () => {
    timer = null;
    const shown = waiting;
    waiting = [];
    if (shown.length > 0) onEvents(shown);
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      const { event = 'message', data, id } = value;
      if (id !== undefined) place.id = id;
      waiting.push({ event, data: JSON.parse(data), id: id ?? null });
      if (event === 'end') return true;
      // Many lines come in one piece: they are shown together, at most once a frame.
      timer ??= setTimeout(flush, frameMs);
    }
  } finally {
    if (timer !== null) clearTimeout(timer);
    flush();
    reader.cancel().catch(() => undefined);
  }
}

const frameMs = 40;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    function finish() {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      done();
    }
    signal.addEventListener('abort', finish);
  });
}
