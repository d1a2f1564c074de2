import { canonicalJson } from '../base/json.ts';
import { ConnectorError } from '../drivers/driver.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import { profileOf, type ScopeProfile } from '../language/dashboard/scope-profile.ts';
import type { ConnectorCall } from '../language/dashboard/widgets/widget-binding.ts';
import type { WidgetBase } from '../language/dashboard/widgets/widget-kind.ts';
import type { DashboardSource } from '../threads/messages/widget-calls.ts';
import { readyCall, runCall } from './ready-call.ts';
import type { WidgetKit } from './widget-kit.ts';

/** What the widgets of one call to a thread read: each call of a connector under each scope once. */
export class CallReads {
  readonly #kit: WidgetKit;
  readonly #document: Dashboard;
  readonly #source: DashboardSource;
  readonly #signal: AbortSignal;
  readonly #reads = new Map<string, Promise<unknown>>();

  constructor(kit: WidgetKit, document: Dashboard, source: DashboardSource, signal: AbortSignal) {
    this.#kit = kit;
    this.#document = document;
    this.#source = source;
    this.#signal = signal;
  }

  /** What the widget's own call or its shared query gives, before its `transform_expr`; null for one that has neither. */
  async of(widget: WidgetBase): Promise<unknown> {
    const call = this.#callOf(widget);
    if (call === null) return null;
    const profile = profileOf(this.#document, widget);
    const key = canonicalJson([call, profile?.name ?? null]);
    const known = this.#reads.get(key);
    if (known !== undefined) return known;
    const read = this.#read(call, profile);
    this.#reads.set(key, read);
    return read;
  }

  async #read(call: ConnectorCall, profile: ScopeProfile | null): Promise<unknown> {
    const ready = await readyCall(this.#kit, call, profile, this.#source);
    return (await runCall(this.#kit, ready, this.#signal)) ?? null;
  }

  #callOf({ binding }: WidgetBase): ConnectorCall | null {
    if (binding.kind === 'call') return binding.call;
    if (binding.kind !== 'shared_query') return null;
    const { shared_queries } = this.#document;
    const query = Object.hasOwn(shared_queries, binding.name) ? shared_queries[binding.name] : undefined;
    if (query !== undefined) return query;
    throw new ConnectorError('CONFIG', `There is no shared query "${binding.name}"`);
  }
}
