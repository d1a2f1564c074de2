import { isRecord } from '../base/json.ts';
import type { ConnectorRef } from '../drivers/connection-cache.ts';
import { ConnectorError } from '../drivers/driver.ts';
import { readOnlyCall } from '../drivers/read-only-call.ts';
import { scopeArgs } from '../drivers/scope-args.ts';
import type { Widget } from '../language/dashboard/pages.ts';
import type { Dashboard } from '../language/dashboard/parse-dashboard.ts';
import type { ConnectorCall } from '../language/dashboard/widgets/widget-binding.ts';
import type { Scope } from '../language/expression/expression.ts';
import type { DashboardSource } from '../threads/messages/widget-calls.ts';
import type { WidgetKit } from './widget-kit.ts';

/** Most rows that a call as a whole may give. */
export const callRowsMax = 10_000;

/** A connector call of a document with everything evaluated. */
export interface ReadyCall {
  readonly connector: ConnectorRef;
  readonly method: string;
  readonly args: unknown;
  /** The scope's fields, which `scopeArgs` puts into the arguments. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The scope profile of a widget; null for none. */
export function profileOf(document: Dashboard, widget: Widget): string | null {
  return widget.scope === undefined ? document.default_scope : widget.scope;
}

/** Throws a `CONFIG` error where there is no such connector or scope, and `ExpressionError`. */
export async function readyCall(
  kit: WidgetKit,
  document: Dashboard,
  call: ConnectorCall,
  profile: string | null,
  { connectors, context }: Pick<DashboardSource, 'connectors' | 'context'>,
): Promise<ReadyCall> {
  const connector = connectorNamed(connectors, call.connector);
  const scope: Scope = { ...context };
  const args = await kit.templates.render(call.args, scope);
  const declared = fieldsOf(document, profile, call.connector);
  const fields = await kit.templates.render(declared, scope);
  requireWhole(declared, fields);
  return { connector, method: call.method, args, fields: fields as ReadyCall['fields'] };
}

/**
 * An expression that finds nothing leaves its property out: of a scope that would be a condition less, and so more than may be
 * seen.
 */
function requireWhole(declared: unknown, rendered: unknown, name = ''): void {
  if (typeof declared === 'string' && declared.includes('{{') && (rendered ?? null) === null) {
    throw new ConnectorError('CONFIG', `The scope cannot be applied: its field "${name}" has no value`);
  }
  if (Array.isArray(declared)) {
    const items: readonly unknown[] = Array.isArray(rendered) ? rendered : [];
    for (const [index, item] of declared.entries()) requireWhole(item, items[index], name);
  } else if (isRecord(declared)) {
    const entries = isRecord(rendered) ? rendered : {};
    for (const [key, item] of Object.entries(declared)) {
      requireWhole(item, Object.hasOwn(entries, key) ? entries[key] : undefined, name === '' ? key : name);
    }
  }
}

export function connectorNamed(
  connectors: Readonly<Record<string, ConnectorRef>>,
  name: string,
): ConnectorRef {
  const connector = Object.hasOwn(connectors, name) ? connectors[name] : undefined;
  if (connector === undefined) throw new ConnectorError('CONFIG', `There is no connector "${name}"`);
  return connector;
}

/** What a call as a whole gives: at most 10,000 rows, or a value. */
export function runCall(kit: WidgetKit, call: ReadyCall, signal: AbortSignal): Promise<unknown> {
  return kit.connections.use(call.connector, async ({ driver, connection }) =>
    readOnlyCall(driver, connection, {
      method: call.method,
      args: scopeArgs(driver, call.method, call.args, call.fields),
      rowsMax: callRowsMax,
      signal,
    }),
  );
}

/** What of a call decides which rows it gives. */
export function identityOf({ connector, method, args, fields }: ReadyCall): unknown {
  return [connector, method, args, fields];
}

const NO_FIELDS: ReadyCall['fields'] = {};

function fieldsOf(document: Dashboard, profile: string | null, connector: string): ReadyCall['fields'] {
  if (profile === null) return NO_FIELDS;
  const fields = Object.hasOwn(document.scope, profile) ? document.scope[profile] : undefined;
  // Nothing of a profile that is not there may be read as "no limits".
  if (fields === undefined) throw new ConnectorError('CONFIG', `There is no scope "${profile}"`);
  return (Object.hasOwn(fields, connector) ? fields[connector] : undefined) ?? NO_FIELDS;
}
