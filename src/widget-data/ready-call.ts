import { isRecord } from '../base/json.ts';
import type { ConnectorRef } from '../drivers/connection-cache.ts';
import { ConnectorError } from '../drivers/driver.ts';
import { readOnlyCall } from '../drivers/read-only-call.ts';
import { scopeArgs } from '../drivers/scope/scope-args.ts';
import { publicEntryIn } from '../language/dashboard/scope-check.ts';
import type { ScopeProfile } from '../language/dashboard/scope-profile.ts';
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

/** Throws a `CONFIG` error where there is no such connector, as `scopeFields`, and `ExpressionError`. */
export async function readyCall(
  kit: WidgetKit,
  call: ConnectorCall,
  profile: ScopeProfile | null,
  source: Pick<DashboardSource, 'connectors' | 'connectorNames' | 'publicEntries' | 'context'>,
): Promise<ReadyCall> {
  const connector = connectorNamed(source.connectors, call.connector);
  const scope: Scope = { ...source.context };
  const args = await kit.templates.render(call.args, scope);
  const fields = await scopeFields(kit, profile, call.connector, source);
  return { connector, method: call.method, args, fields };
}

/** An option source brings all public entries with its scope. */
type ScopeSource = Pick<DashboardSource, 'connectorNames' | 'context'> &
  Partial<Pick<DashboardSource, 'publicEntries'>>;

/**
 * The fields that a profile puts into calls of a connector, evaluated. A `CONFIG` error where the profile as a whole cannot be
 * applied: where it is not there, where it limits a connector that the job does not have and so not the one that was meant, where
 * people with the share link could change it, and where a field has no value.
 */
export async function scopeFields(
  kit: WidgetKit,
  profile: ScopeProfile | null,
  connector: string,
  { connectorNames, context, publicEntries = [] }: ScopeSource,
): Promise<ReadyCall['fields']> {
  if (profile === null) return NO_FIELDS;
  const { name, filters } = profile;
  if (filters === null) throw new ConnectorError('CONFIG', `There is no scope "${name}"`);
  const refusal = (reason: string) =>
    new ConnectorError('CONFIG', `The scope "${name}" cannot be applied: ${reason}`);
  const unknown = Object.keys(filters).find((limited) => !connectorNames.includes(limited));
  if (unknown !== undefined) throw refusal(`it limits "${unknown}", which is no connector of the job`);
  const declared = Object.hasOwn(filters, connector) ? filters[connector] : undefined;
  if (declared === undefined) return NO_FIELDS;
  const entries = [...profile.publicEntries, ...publicEntries];
  const entry = entries.length === 0 ? null : publicEntryIn(kit.entriesRead(declared), entries);
  if (entry !== null) throw refusal(`people with a share link can change "${entry}", which it reads`);
  // Whoever looks on must not choose what limits them.
  const { filter: _, ...own } = context;
  const fields = await kit.templates.render(declared, own);
  requireWhole(declared, fields);
  return fields as ReadyCall['fields'];
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
