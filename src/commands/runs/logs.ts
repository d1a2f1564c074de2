import { setTimeout as sleep } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { type Client, eachRecord } from '../../client/create-client.ts';
import { type CommandOutput, printable, type Style } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { mayPass } from '../server/may-pass.ts';
import { clientOf, type ServerOptions } from '../server/server-client.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export interface LogsOptions extends ServerOptions {
  readonly follow: boolean;
  readonly level?: (typeof LOG_LEVELS)[number];
  /** `attempt.seq`, or a seq of the first attempt: lines after it. */
  readonly sinceSeq?: string;
}

const PAGE_LINES = 1_000;
/** First delay before a broken stream is requested again; doubled each time. */
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 10_000;
/** Gives up on a server that does not answer for this long. */
const RETRIES_IN_A_ROW_MAX = 20;

interface LogLine {
  readonly at: string;
  readonly level: string;
  readonly step_id: string | null;
  readonly message: string;
}

/**
 * `headgate logs`: the lines of a run so far or, with `follow`, until it has ended; the exit code is then the run's: 0 for success
 * and warning, 1 for anything else. A stream that breaks is resumed after the last line received.
 */
export async function logs(runId: number, options: LogsOptions): Promise<number> {
  return perform(options, (out) => {
    const api = clientOf(options);
    return options.follow ? follow(api, runId, options, out) : printLines(api, runId, options, out);
  });
}

async function printLines(
  api: Client,
  id: number,
  options: LogsOptions,
  out: CommandOutput,
): Promise<number> {
  const lines = eachRecord((cursor) => {
    const after = cursor ?? options.sinceSeq;
    const query = {
      limit: PAGE_LINES,
      ...(after === undefined ? {} : { after_seq: after }),
      ...(options.level === undefined ? {} : { level: options.level }),
    };
    return api.GET('/api/runs/{id}/logs', { params: { path: { id }, query } });
  });
  for await (const line of lines) show(line, out);
  return EXIT.ok;
}

async function follow(api: Client, id: number, options: LogsOptions, out: CommandOutput): Promise<number> {
  let last = options.sinceSeq;
  for (let failures = 0; ; ) {
    try {
      for await (const event of eventsOf(api, id, options.level, last)) {
        failures = 0;
        last = event.id ?? last;
        const ended = shown(event, out);
        if (ended !== null) return ended;
      }
      failures += 1;
    } catch (error) {
      failures += 1;
      if (!mayPass(error) || failures > RETRIES_IN_A_ROW_MAX) throw error;
    }
    await sleep(Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(failures, 10)));
  }
}

async function* eventsOf(
  api: Client,
  id: number,
  level: LogsOptions['level'],
  last: string | undefined,
): AsyncGenerator<ServerEvent, void, undefined> {
  const body = (await api.GET('/api/runs/{id}/logs/stream', {
    params: { path: { id }, query: level === undefined ? {} : { level } },
    headers: last === undefined ? {} : { 'last-event-id': last },
    parseAs: 'stream',
  })) as ReadableStream<Uint8Array> | null;
  if (body !== null) yield* readEvents(body);
}

/** The exit code where the run has ended with this event, else null. */
function shown({ event, data }: ServerEvent, out: CommandOutput): number | null {
  const value = data as Readonly<Record<string, unknown>>;
  if (event === 'log') show(value as unknown as LogLine, out);
  if (event === 'gap' && !out.isJson)
    out.error(
      `(lines ${value['from']} to ${value['to']} of attempt ${value['attempt']} are not available: ${value['reason']})`,
    );
  if (event !== 'end') return null;
  const status = String(value['status']);
  if (!out.isJson) out.error(`The run ended: ${status}`);
  return status === 'success' || status === 'warning' ? EXIT.ok : EXIT.failed;
}

const LEVEL_STYLES: Readonly<Record<string, Style>> = {
  debug: 'dim',
  info: 'cyan',
  warn: 'yellow',
  error: 'red',
};

function show(line: LogLine, out: CommandOutput): void {
  if (out.isJson) out.json(line);
  const step = line.step_id === null || line.step_id === '' ? '' : `${printable(line.step_id)}: `;
  const level = out.paint(LEVEL_STYLES[line.level] ?? 'cyan', line.level.padEnd(5));
  out.line(`${out.paint('dim', line.at)} ${level} ${step}${printable(line.message)}`);
}

/** One event of a stream of server-sent events. */
interface ServerEvent {
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
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
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
