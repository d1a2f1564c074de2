import type { components } from '../../../../client/openapi-types.ts';

export type Backend = components['schemas']['MetricsConfig'];
export type BackendKind = Backend['backend'];
type FieldKey =
  | 'path'
  | 'retention_days'
  | 'host'
  | 'port'
  | 'prefix'
  | 'tags'
  | 'tag_format'
  | 'url'
  | 'key';

export interface BackendField {
  readonly key: FieldKey | 'buffer_bytes' | 'flush_ms';
  readonly kind: 'text' | 'number' | 'secret' | 'tags' | 'tag_format';
  readonly required?: boolean;
  /** What the server takes where it is left empty. */
  readonly byDefault?: string;
}

/** How a stored secret reads; sent back, it keeps the value. */
const mask = '********';

const retention: BackendField = { key: 'retention_days', kind: 'number', byDefault: '90' };

/** What each kind of backend is told. */
export const backendFields: Readonly<Record<BackendKind, readonly BackendField[]>> = {
  localdb: [{ key: 'path', kind: 'text', byDefault: './metrics.db' }, retention],
  serverdb: [{ key: 'url', kind: 'secret' }, retention],
  statsd: [
    { key: 'host', kind: 'text', byDefault: '127.0.0.1' },
    { key: 'port', kind: 'number', byDefault: '8125' },
    { key: 'prefix', kind: 'text', byDefault: 'headgate.' },
    { key: 'tags', kind: 'tags' },
    { key: 'tag_format', kind: 'tag_format' },
    { key: 'buffer_bytes', kind: 'number', byDefault: '1432' },
    { key: 'flush_ms', kind: 'number', byDefault: '1000' },
  ],
  http: [
    { key: 'url', kind: 'text', required: true },
    { key: 'key', kind: 'secret' },
  ],
  noop: [],
};

/** The fields of a form, as texts. */
export type BackendDraft = Readonly<Partial<Record<BackendField['key'], string>>>;

/** A backend's fields as texts; its secrets are empty, since they never come back. */
export function draftOf({ backend, config }: Pick<Backend, 'backend' | 'config'>): BackendDraft {
  return Object.fromEntries(
    backendFields[backend].map(({ key, kind }) => [key, kind === 'secret' ? '' : textOf(config[key])]),
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, one]) => `${key}=${one}`)
    .join('\n');
}

/** The configuration that a form describes. Empty fields are left to the server; an empty secret keeps what is stored. */
export function configOf(kind: BackendKind, draft: BackendDraft, stored: Backend['config'] | null) {
  const config: Record<string, unknown> = {};
  for (const { key, kind: type } of backendFields[kind]) {
    const text = draft[key]?.trim() ?? '';
    if (type === 'secret' && text === '' && stored?.[key] !== undefined) config[key] = mask;
    else if (text === '') continue;
    else if (type === 'number') config[key] = Number(text);
    else config[key] = type === 'tags' ? tagsOf(text) : text;
  }
  return config;
}

function tagsOf(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [key = '', ...value] = line.split('=');
      return [key.trim(), value.join('=').trim()];
    }),
  );
}
