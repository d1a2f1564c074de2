import { suggestName } from '../../base/text/suggest-name.ts';
import { type Client, eachRecord, type Page } from '../../client/create-client.ts';
import { CommandError } from '../kit/command-error.ts';
import { printable } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';

const CANDIDATES_MAX = 10;
const PAGE_RECORDS_MAX = 200;
/** Names that a misspelt one is compared with. */
const COMPARED_MAX = 1_000;

interface Named {
  readonly id?: number;
  readonly name?: string;
}

interface Search {
  /** Part of the name. */
  readonly q?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const BY_NAME = { fields: 'id,name', sort: 'name' } as const;

/** The id that `text` is, or that of the job with this name. Throws `CommandError` where there is none. */
export function jobIdOf(api: Client, text: string): Promise<number> {
  return idOf(text, 'job', (query) => api.GET('/api/jobs', { params: { query: { ...BY_NAME, ...query } } }));
}

/** As `jobIdOf`, of a job template. */
export function templateIdOf(api: Client, text: string): Promise<number> {
  return idOf(text, 'job template', (query) =>
    api.GET('/api/job-templates', { params: { query: { ...BY_NAME, ...query } } }),
  );
}

/** As `jobIdOf`, of a connector. */
export function connectorIdOf(api: Client, text: string): Promise<number> {
  return idOf(text, 'connector', (query) =>
    api.GET('/api/connectors', { params: { query: { ...BY_NAME, ...query } } }),
  );
}

/** As `jobIdOf`, of a dashboard. */
export function dashboardIdOf(api: Client, text: string): Promise<number> {
  return idOf(text, 'dashboard', (query) =>
    api.GET('/api/dashboards', { params: { query: { ...BY_NAME, ...query } } }),
  );
}

/** As `jobIdOf`, of an executor that has not left. */
export function executorIdOf(api: Client, text: string): Promise<number> {
  return idOf(text, 'executor', async ({ q = '' }) => {
    const { result } = await api.GET('/api/server/executors');
    const present = result.filter(({ status }) => status !== 'gone');
    return {
      result: present.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase())),
      next_cursor: null,
    };
  });
}

async function idOf(
  text: string,
  kind: string,
  search: (query: Search) => Promise<Page<Named>>,
): Promise<number> {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  const { result: found } = await search({ q: text, limit: CANDIDATES_MAX });
  const [only, second] = found.filter(({ name }) => name === text);
  if (only?.id !== undefined && second === undefined) return only.id;
  const alike = found.length > 0 ? found : await misspelt(text, search);
  const names = alike.map(({ id, name }) => `${id} (${printable(name ?? '')})`).join(', ');
  const near = names === '' ? '' : `. Similar names, with ids: ${names}`;
  throw new CommandError(
    EXIT.failed,
    second === undefined
      ? `There is no ${kind} named "${text}"${near}`
      : `Several ${kind}s are named "${text}"; use an id: ${names}`,
  );
}

/** The record whose name `text` most likely misspells. */
async function misspelt(
  text: string,
  search: (query: Search) => Promise<Page<Named>>,
): Promise<readonly Named[]> {
  const compared: Named[] = [];
  const all = eachRecord((cursor) =>
    search({ limit: PAGE_RECORDS_MAX, ...(cursor !== undefined && { cursor }) }),
  );
  for await (const record of all) if (compared.push(record) === COMPARED_MAX) break;
  const name = suggestName(
    text,
    compared.map(({ name }) => name ?? ''),
  );
  return compared.filter((record) => record.name === name);
}
