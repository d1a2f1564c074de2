import { type RowView, rowView } from '../../frame/row-view/row-view.ts';

/** Which connectors are listed, as the address says it. */
export interface ConnectorsSearch {
  readonly type?: string;
  readonly q?: string;
  /** Whether they have worked lately. */
  readonly status?: HealthStatus;
}

export const healthStatuses = ['failing', 'degraded', 'ok', 'unknown'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** How a connector is looked at; with `resource`, how its rows are. */
export interface ConnectorSearch extends RowView {
  readonly view?: 'browse' | 'jobs' | 'health';
  /** Of `browse`: whose columns and rows are shown. */
  readonly resource?: string;
}

export function connectorsSearch(search: Readonly<Record<string, unknown>>): ConnectorsSearch {
  const [typeText, qText] = [textOf(search['type']), textOf(search['q'])];
  const status = healthStatuses.find((one) => one === search['status']);
  return { ...(typeText && { type: typeText }), ...(qText && { q: qText }), ...(status && { status }) };
}

export function connectorSearch(search: Readonly<Record<string, unknown>>): ConnectorSearch {
  const { view, resource } = search;
  const text = textOf(resource);
  if (view === 'browse') return { view, ...(text && { resource: text, ...rowView(search) }) };
  return view === 'jobs' || view === 'health' ? { view } : {};
}

/** The router reads a text that looks like a number as one. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
