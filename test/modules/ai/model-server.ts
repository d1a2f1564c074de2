import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** What the provider does with one request. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string; readonly cutAtLimit?: boolean }
  | { readonly kind: 'refusal'; readonly text: string }
  /** The connection ends in the middle of the answer. */
  | { readonly kind: 'cut' }
  /** A stream that ends in order, without its last events. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'status'; readonly status: number; readonly message: string; readonly headers?: object }
  | { readonly kind: 'hang'; readonly after: 'nothing' | 'head' }
  | { readonly kind: 'garbage'; readonly body: string; readonly type?: string }
  /** Bytes without end. */
  | { readonly kind: 'flood' };

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    stream?: boolean;
    model?: string;
    system?: string;
    messages: { role: string; content: string }[];
  };
  readonly text: string;
  /** Whether the asker left before the answer was whole. */
  readonly leftEarly: Promise<boolean>;
}

export const USAGE = { input: 1_000, output: 50 };

/**
 * A provider on loopback that speaks both wire formats, as they are: whole answers and streams. Each request takes the next of
 * `replies`; the last one stays.
 */
export async function startModelServer(t: Test) {
  const seen: SeenRequest[] = [];
  let replies: readonly Reply[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const body = JSON.parse(text) as SeenRequest['body'];
    const leftEarly = once(response, 'close').then(() => !response.writableFinished);
    seen.push({ path: request.url ?? '', headers: request.headers, body, text, leftEarly });
    const [reply, ...rest] = replies;
    if (rest.length > 0) replies = rest;
    if (reply === undefined) throw new Error('the model was asked without a reply to give');
    await answer(reply, request, response, body.stream === true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** As `ai.base_url` has it. */
    baseUrl: (provider: 'openai' | 'anthropic') => (provider === 'openai' ? `${origin}/v1` : origin),
    origin,
    reply: (...next: Reply[]) => {
      replies = next;
    },
    /** The requests since it was last asked. */
    requests: () => seen.splice(0),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

async function answer(reply: Reply, request: IncomingMessage, response: ServerResponse, stream: boolean) {
  const wire = request.url === '/v1/messages' ? anthropic : openai;
  const json = (status: number, value: object, headers: object = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
  switch (reply.kind) {
    case 'text':
    case 'refusal':
      if (!stream) return json(200, wire.whole(reply));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of wire.events(reply)) response.write(event);
      return response.end();
    case 'unfinished':
    case 'cut': {
      const whole = { kind: 'text', text: 'name: half of an answer' } as const;
      const text = stream ? wire.events(whole).slice(0, -3).join('') : JSON.stringify(wire.whole(whole));
      const type = stream ? 'text/event-stream' : 'application/json';
      response.writeHead(200, {
        'content-type': type,
        ...(!stream && { 'content-length': text.length * 2 }),
      });
      if (reply.kind === 'unfinished') return response.end(text);
      response.write(text);
      return setTimeout(() => response.destroy(), 50);
    }
    case 'status':
      return json(reply.status, wire.error(reply.message), reply.headers);
    case 'hang':
      if (reply.after === 'nothing') return;
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      return response.write(stream ? (wire.events({ kind: 'text', text: 'name: x' })[0] ?? '') : '{"id":');
    case 'garbage':
      response.writeHead(200, { 'content-type': reply.type ?? 'application/json' });
      return response.end(reply.body);
    case 'flood': {
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      const [first = '', ...rest] = wire.events({ kind: 'text', text: 'x'.repeat(60_000) });
      const closed = once(response, 'close');
      response.write(stream ? first : '{"x":"');
      while (!response.destroyed) {
        const took = response.write(stream ? (rest[0] ?? '') : 'x'.repeat(65_536));
        if (!took) await Promise.race([once(response, 'drain'), closed]);
      }
      return;
    }
    default:
      return reply satisfies never;
  }
}

type Said = Extract<Reply, { kind: 'text' | 'refusal' }>;

const piecesOf = (text: string): string[] =>
  text.match(/[\s\S]{1,200000}/g)?.flatMap((part) => halves(part)) ?? [];
const halves = (text: string) =>
  [text.slice(0, text.length >> 1), text.slice(text.length >> 1)].filter(Boolean);

/** Source: https://platform.openai.com/docs/api-reference/chat. */
const openai = {
  whole(said: Said) {
    const refused = said.kind === 'refusal';
    const message = {
      role: 'assistant',
      content: refused ? null : said.text,
      refusal: refused ? said.text : null,
    };
    const finish_reason = said.kind === 'text' && said.cutAtLimit ? 'length' : 'stop';
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason, logprobs: null }],
      usage: { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: 1_050 },
    };
  },
  events(said: Said): string[] {
    const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const key = said.kind === 'refusal' ? 'refusal' : 'content';
    const finish_reason = said.kind === 'text' && said.cutAtLimit ? 'length' : 'stop';
    const usage = { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: 1_050 };
    const chunks = [
      ...piecesOf(said.text).map((piece) => ({
        ...head,
        choices: [{ index: 0, delta: { [key]: piece }, finish_reason: null }],
      })),
      { ...head, choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...head, choices: [], usage },
    ];
    return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'];
  },
  error: (message: string) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
};

/** Source: https://docs.anthropic.com/en/api/messages-streaming. */
const anthropic = {
  whole(said: Said) {
    return {
      ...this.message(),
      content: said.kind === 'refusal' ? [] : [{ type: 'text', text: said.text }],
      stop_reason: this.stop(said),
      usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
    };
  },
  events(said: Said): string[] {
    const delta = (text: string) => ({ type: 'text_delta', text });
    const pieces = said.kind === 'refusal' ? [] : piecesOf(said.text);
    const usage = { input_tokens: USAGE.input, output_tokens: 1 };
    const events = [
      { type: 'message_start', message: { ...this.message(), content: [], stop_reason: null, usage } },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...pieces.map((piece) => ({ type: 'content_block_delta', index: 0, delta: delta(piece) })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: this.stop(said), stop_sequence: null },
        usage: { output_tokens: USAGE.output },
      },
      { type: 'message_stop' },
    ];
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  },
  error: (message: string) => ({ type: 'error', error: { type: 'some_error', message } }),
  message: () => ({ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }),
  stop(said: Said) {
    if (said.kind === 'refusal') return 'refusal';
    return said.cutAtLimit ? 'max_tokens' : 'end_turn';
  },
};
