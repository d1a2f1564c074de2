import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';
import type { HttpMethod } from '../../http/exchange.ts';
import type { OdataService } from '../odata-service.ts';

export interface BatchRequest {
  readonly method: HttpMethod;
  /** From the root of the service on. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

export interface BatchAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface BatchOptions {
  /** All of those that write, or none. */
  readonly isAtomic: boolean;
  /** Go on after a request that fails; acts without `isAtomic`. */
  readonly goesOn: boolean;
  readonly isRepeatable: boolean;
}

/** Sends requests as one (OData JSON Format 4.01, 19). The answers stand in their order; null for a request that was not done. */
export async function sendBatch(
  service: OdataService,
  requests: readonly BatchRequest[],
  { isAtomic, goesOn, isRepeatable }: BatchOptions,
  signal: AbortSignal,
): Promise<readonly (BatchAnswer | null)[]> {
  const body = {
    requests: requests.map((request, index) => ({
      id: String(index + 1),
      ...(isAtomic && request.method !== 'GET' && { atomicityGroup: 'all' }),
      method: request.method,
      url: request.url,
      headers: {
        ...(request.body !== undefined && { 'content-type': service.contentType }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: request.body }),
    })),
  };
  const headers = goesOn && !isAtomic ? { prefer: 'odata.continue-on-error' } : {};
  const document = await service.askJson('$batch', { method: 'POST', headers, body, isRepeatable }, signal);
  const responses = isRecord(document) ? document['responses'] : null;
  if (!Array.isArray(responses))
    throw new ConnectorError(
      'CONFIG',
      'The service does not answer "$batch" with JSON; set "batch" of the connector to false, so that requests are sent one by one',
    );
  const byId = new Map(responses.filter(isRecord).map((one) => [String(one['id']), one]));
  return requests.map((_request, index) => answerOf(byId.get(String(index + 1))));
}

function answerOf(response: Readonly<Record<string, unknown>> | undefined): BatchAnswer | null {
  if (response === undefined) return null;
  const headers = isRecord(response['headers']) ? response['headers'] : {};
  return {
    status: Number(response['status']),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body: response['body'] ?? null,
  };
}
