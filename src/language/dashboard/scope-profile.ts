import type { DashboardPage, Widget } from './pages.ts';
import type { ConnectorCall } from './widgets/widget-binding.ts';

type Filter = Readonly<Record<string, unknown>>;

/** A profile of a dashboard's `scope`, and what decides whether it can be applied. */
export interface ScopeProfile {
  readonly name: string;
  /** Fields of a filter by connector; null where the document has no such profile. */
  readonly filters: Readonly<Record<string, Filter>> | null;
  /** Entries of `job_config` that people with the share link may change. */
  readonly publicEntries: readonly string[];
}

/** What of a dashboard concerns its scope. */
export interface ScopedDocument {
  readonly scope: Readonly<Record<string, Readonly<Record<string, Filter>>>>;
  readonly default_scope: string | null;
  readonly shared_queries: Readonly<Record<string, ConnectorCall>>;
  readonly allow_public_input: boolean;
  readonly pages: readonly Pick<DashboardPage, 'public' | 'widgets'>[];
}

/** The profile that limits what a widget reads; null for none. */
export function profileOf(document: ScopedDocument, widget: Pick<Widget, 'scope'>): ScopeProfile | null {
  const name = widget.scope === undefined ? document.default_scope : widget.scope;
  if (name === null) return null;
  const filters = Object.hasOwn(document.scope, name) ? (document.scope[name] ?? null) : null;
  return { name, filters, publicEntries: publicEntriesOf(document) };
}

/** Entries of `job_config` that people with the share link may change. */
export function publicEntriesOf({
  allow_public_input,
  pages,
}: Pick<ScopedDocument, 'allow_public_input' | 'pages'>): readonly string[] {
  if (!allow_public_input) return [];
  const widgets = pages.filter((page) => page.public).flatMap((page) => page.widgets);
  return widgets.filter(({ type }) => ENTRY_TYPES.includes(type)).map(entryKeyOf);
}

/** Types of widgets that edit an entry of `job_config`. */
export const ENTRY_TYPES: readonly string[] = ['form', 'field_mapping'];

/** The entry of `job_config` that a form or a mapping edits. */
function entryKeyOf({ id, config }: Widget): string {
  return typeof config['config_key'] === 'string' ? config['config_key'] : id;
}
