import { type Client, eachRecord } from '../../client/create-client.ts';
import { CommandError } from '../kit/command-error.ts';
import { printable } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';

const CANDIDATES_MAX = 10;
const PAGE_RECORDS_MAX = 200;

interface Named {
  readonly id?: number;
  readonly name?: string;
}

/** The id that `text` is, or that of the job with this name. Throws `CommandError` where there is none. */
export function jobIdOf(api: Client, text: string): Promise<number> {
  return idOf(text, 'job', async (q) => {
    const query = { q, fields: 'id,name', limit: CANDIDATES_MAX, sort: 'name' } as const;
    return (await api.GET('/api/jobs', { params: { query } })).result;
  });
}

/** As `jobIdOf`, of a connector. */
export function connectorIdOf(api: Client, text: string): Promise<number> {
  return idOf(text, 'connector', async (q) => {
    const query = { q, fields: 'id,name', limit: CANDIDATES_MAX, sort: 'name' } as const;
    return (await api.GET('/api/connectors', { params: { query } })).result;
  });
}

/** As `jobIdOf`, of a dashboard. */
export function dashboardIdOf(api: Client, text: string): Promise<number> {
  return idOf(text, 'dashboard', async (q) => {
    // The list of dashboards has no search.
    const all = eachRecord((cursor) => {
      const query = { fields: 'id,name', limit: PAGE_RECORDS_MAX, ...(cursor !== undefined && { cursor }) };
      return api.GET('/api/dashboards', { params: { query } });
    });
    const found: Named[] = [];
    for await (const one of all) if (one.name?.toLowerCase().includes(q.toLowerCase())) found.push(one);
    return found.filter(({ name }, index) => name === q || index < CANDIDATES_MAX);
  });
}

/** As `jobIdOf`, of an executor that has not left. */
export function executorIdOf(api: Client, text: string): Promise<number> {
  return idOf(text, 'executor', async (q) => {
    const { result } = await api.GET('/api/server/executors');
    const present = result.filter(({ status }) => status !== 'gone');
    return present.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
  });
}

async function idOf(
  text: string,
  kind: string,
  search: (text: string) => Promise<readonly Named[]>,
): Promise<number> {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  const found = await search(text);
  const [only, second] = found.filter(({ name }) => name === text);
  if (only?.id !== undefined && second === undefined) return only.id;
  const names = found.map(({ id, name }) => `${id} (${printable(name ?? '')})`).join(', ');
  const near = names === '' ? '' : `. Similar names, with ids: ${names}`;
  throw new CommandError(
    EXIT.failed,
    second === undefined
      ? `There is no ${kind} named "${text}"${near}`
      : `Several ${kind}s are named "${text}"; use an id: ${names}`,
  );
}
