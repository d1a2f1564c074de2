import type { Client } from './create-client.ts';

const TROUBLE = ['failing', 'degraded'] as const;
/** Of each status; more are not told. */
const TROUBLED_MAX = 200;

/** The saved connectors that fail or are degraded, by their id. */
export async function troubledConnectors(
  api: Client,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, (typeof TROUBLE)[number]>> {
  const of = async (status: (typeof TROUBLE)[number]) => {
    const query = { status, limit: TROUBLED_MAX };
    const { result } = await api.GET('/api/connectors/health', {
      params: { query },
      ...(signal && { signal }),
    });
    return result.map(({ connector_id }) => [connector_id, status] as const);
  };
  return new Map((await Promise.all(TROUBLE.map(of))).flat());
}
