import { ConnectorError } from '../driver.ts';
import { type HttpMethod, lowerCased } from '../http/exchange.ts';
import { documentOf } from '../http/list/answer-values.ts';
import type { OpenApi } from '../http/open-api.ts';
import type { Query } from '../http/resource-config.ts';
import { urlOf } from '../http/urls.ts';
import { CursorError } from '../page/cursor-error.ts';
import { readCursor } from '../page/page-cursor.ts';

interface Asked {
  readonly method?: HttpMethod;
  readonly path: string;
  readonly queries?: readonly Query[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** The value of the JSON that a platform answers a request with; null for an answer without a body. */
export async function askPlatform(api: OpenApi, asked: Asked, signal: AbortSignal): Promise<unknown> {
  const { method = 'GET', path, queries = [], body, idempotencyKey: key } = asked;
  const answer = await api.exchange.ask(
    {
      method,
      url: urlOf(api.config, path, queries),
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { [api.config.idempotency_header.toLowerCase()]: key }),
        ...lowerCased(asked.headers ?? {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      isRepeatable: key === undefined ? undefined : true,
    },
    signal,
  );
  return documentOf(answer, 'auto');
}

/** Throws `CursorError` for a cursor that `isCursor` does not know. */
export function decodeCursor<T>(text: string, isCursor: (value: unknown) => value is T): T {
  const value: unknown = readCursor(text);
  if (isCursor(value)) return value;
  throw new CursorError('The cursor does not belong to this list; start with the first page');
}

/** The same failure without a secret that an answer may have repeated, in full or cut off at the end of what is shown of it. */
export function withoutSecret(error: unknown, secret: string): unknown {
  if (!(error instanceof ConnectorError)) return error;
  let { message } = error;
  for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
    message = message.replaceAll(form, '********');
    for (let length = form.length - 1; length > 0 && message.endsWith('…'); length--)
      if (message.endsWith(`${form.slice(0, length)}…`)) message = `${message.slice(0, -length - 1)}********`;
  }
  return message === error.message ? error : new ConnectorError(error.fault, message);
}
