import type { QueryClient } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import type { Client } from '../../../client/create-client.ts';
import type { Texts } from '../../texts/en/texts.ts';
import { isLabel } from '../labels/label-text.ts';
import { viewOfPreset } from '../row-view/row-view.ts';
import { meQuery } from '../session/session.ts';

/** A record that the palette leads to. */
export interface PaletteRecord {
  readonly label: string;
  readonly kind: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly id?: number;
  /** What the address of the screen says besides. */
  readonly search?: Readonly<Record<string, unknown>>;
}

interface SearchDeps {
  readonly api: Client;
  readonly client: QueryClient;
  readonly texts: Texts;
  readonly isAdmin: boolean;
}

interface Named {
  readonly id?: number;
  readonly name?: string;
}

const recordsMax = 6;
/** As many as the server keeps of channels and webhooks, and more. */
const shortListMax = 200;
/** Lists without a search are read once and then searched here for so long. */
const shortListMs = 30_000;

/** The records whose names hold `q`, a few of each kind, of those kinds that the user may see. */
export async function findRecords(
  deps: SearchDeps,
  q: string,
  signal: AbortSignal,
): Promise<readonly PaletteRecord[]> {
  const [defined, views, keys, administered] = await Promise.all([
    findDefined(deps, q, signal),
    findViews(deps, q, signal),
    findKeys(deps, q),
    deps.isAdmin ? findAdministered(deps, q, signal) : [],
  ]);
  return [...defined, ...views, ...keys, ...administered];
}

async function findDefined({ api, texts }: SearchDeps, q: string, signal: AbortSignal) {
  const { palette } = texts;
  const few = { limit: recordsMax, sort: 'name' as const, fields: 'id,name' };
  const init = { params: { query: { ...few, q } }, signal };
  const byLabel = { params: { query: { ...few, label: [q] } }, signal };
  const [jobs, labelledJobs, dashboards, templates, tasks, connectors] = await Promise.all([
    api.GET('/api/jobs', init),
    isLabel(q) ? api.GET('/api/jobs', byLabel) : { result: [] },
    api.GET('/api/dashboards', init),
    api.GET('/api/job-templates', init),
    api.GET('/api/tasks', init),
    api.GET('/api/connectors', init),
  ]);
  const named = new Set(jobs.result.map(({ id }) => id));
  const others = labelledJobs.result.filter(({ id }) => !named.has(id));
  return [
    ...entriesOf([...jobs.result, ...others], palette.job, '/jobs/$id'),
    ...entriesOf(dashboards.result, palette.dashboard, '/dashboards/$id'),
    ...entriesOf(connectors.result, palette.connector, '/connectors/$id'),
    ...entriesOf(templates.result, palette.template, '/templates/$id'),
    ...entriesOf(tasks.result, palette.task, '/tasks/$id'),
  ];
}

/** Saved views of the rows of connectors. One that the page cannot show leads to its connector. */
async function findViews(
  { api, texts }: SearchDeps,
  q: string,
  signal: AbortSignal,
): Promise<PaletteRecord[]> {
  const query = { limit: recordsMax, sort: 'name' as const, q };
  const { result } = await api.GET('/api/explorer-presets', { params: { query }, signal });
  return result.map((preset) => ({
    label: preset.name,
    kind: texts.palette.view,
    to: '/connectors/$id',
    id: preset.connector_id,
    search: { view: 'browse', resource: preset.resource, ...viewOfPreset(preset) },
  }));
}

/** API keys of one's own; administrators see those of others too. */
async function findKeys({ api, client, texts }: SearchDeps, q: string): Promise<PaletteRecord[]> {
  const keys = await client.fetchQuery({
    queryKey: ['api-keys', 'palette'],
    queryFn: () => api.GET('/api/api-keys', { params: { query: { limit: shortListMax } } }),
    staleTime: shortListMs,
  });
  const me = await client.ensureQueryData(meQuery(api));
  return fewOf(keys.result, q).map(({ name, user_id }) => ({
    label: name,
    kind: texts.palette.apiKey,
    to: user_id === me.id ? '/account' : '/admin/api-keys',
  }));
}

function fewOf<T extends Named>(records: readonly T[], q: string): readonly T[] {
  const text = q.toLowerCase();
  return records.filter(({ name = '' }) => name.toLowerCase().includes(text)).slice(0, recordsMax);
}

async function findAdministered(deps: SearchDeps, q: string, signal: AbortSignal): Promise<PaletteRecord[]> {
  const { api, client, texts } = deps;
  const { palette } = texts;
  const few = { limit: recordsMax, sort: 'name' as const, q };
  const [users, references, lists] = await Promise.all([
    api.GET('/api/users', { params: { query: { ...few, fields: 'id,name,email' } }, signal }),
    api.GET('/api/ai/references', { params: { query: { ...few, fields: 'id,name' } }, signal }),
    client.fetchQuery({ queryKey: ['palette-lists'], queryFn: () => readShort(api), staleTime: shortListMs }),
  ]);
  return [
    ...users.result.map(({ name = '', email = '' }) => ({
      label: name === email ? email : `${name} · ${email}`,
      kind: palette.user,
      to: '/admin/users' as const,
      search: { q: email },
    })),
    ...entriesOf(fewOf(lists.executors, q), palette.executor, '/admin/executors/$id'),
    ...entriesOf(fewOf(lists.channels, q), palette.channel, '/admin/notifications/$id'),
    ...entriesOf(fewOf(lists.webhooks, q), palette.webhook, '/admin/webhooks/$id'),
    ...fewOf(lists.backends, q).map(({ name }) => ({
      label: name,
      kind: palette.backend,
      to: '/admin/metrics' as const,
    })),
    ...references.result.map(({ name = '' }) => ({
      label: name,
      kind: palette.reference,
      to: '/admin/ai-references' as const,
      search: { q: name },
    })),
  ];
}

/** Lists without a search, of which the server keeps few. */
async function readShort(api: Client) {
  const init = { params: { query: { sort: 'name' as const, limit: shortListMax } } };
  const [executors, channels, webhooks, backends] = await Promise.all([
    api.GET('/api/server/executors', {}),
    api.GET('/api/notifications/channels', init),
    api.GET('/api/webhooks', init),
    api.GET('/api/metrics/config', init),
  ]);
  return {
    executors: executors.result.filter(({ status }) => status !== 'gone'),
    channels: channels.result,
    webhooks: webhooks.result,
    backends: backends.result,
  };
}

function entriesOf(result: readonly Named[], kind: string, to: PaletteRecord['to']): PaletteRecord[] {
  return result.map(({ id = 0, name = '' }) => ({ label: name, kind, to, id }));
}
