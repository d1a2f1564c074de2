import { readOnlyCall } from '../../src/drivers/read-only-call.ts';
import type { Widget } from '../../src/language/dashboard/pages.ts';
import type { Dashboard } from '../../src/language/dashboard/parse-dashboard.ts';
import { parseDashboard } from '../../src/language/dashboard/parse-dashboard.ts';
import { CompiledExpressions } from '../../src/language/dashboard/widgets/compiled-expressions.ts';
import type { ConnectorCall } from '../../src/language/dashboard/widgets/widget-binding.ts';
import { payloadOf } from '../../src/language/dashboard/widgets/widget-kinds.ts';
import type { Connectors } from '../engine/support/task-run.ts';
import { allDrivers } from '../support/all-drivers.ts';

const ROWS_MAX = 10_000;

/** What every widget of a dashboard that calls a connector shows, by its id. Throws where any of them fails. */
export async function payloadsOf(
  yaml: string,
  connectors: Connectors,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const parsed = parseDashboard(yaml, { vars: {} });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const expressions = new CompiledExpressions();
  const payloads = new Map<string, Readonly<Record<string, unknown>>>();
  for (const widget of parsed.dashboard.pages.flatMap((page) => page.widgets)) {
    const call = callOf(widget, parsed.dashboard);
    if (call === null) continue;
    const payload = await payloadOf(widget, await dataOf(call, connectors), {}, expressions);
    payloads.set(widget.id, payload as Readonly<Record<string, unknown>>);
  }
  return payloads;
}

function callOf({ binding }: Widget, { shared_queries }: Dashboard): ConnectorCall | null {
  if (binding.kind === 'call') return binding.call;
  return binding.kind === 'shared_query' ? (shared_queries[binding.name] ?? null) : null;
}

async function dataOf(call: ConnectorCall, connectors: Connectors): Promise<unknown> {
  const saved = connectors[call.connector];
  const driver = saved === undefined ? undefined : allDrivers.get(saved.type);
  if (saved === undefined || driver === undefined)
    throw new Error(`There is no connector "${call.connector}"`);
  const context = { fileRoots: ['/'], forbiddenFiles: [], connectTimeoutMs: 5_000 };
  const connection = await driver.connect(saved.config, context);
  try {
    const { signal } = new AbortController();
    return await readOnlyCall(driver, connection, {
      method: call.method,
      args: call.args,
      rowsMax: ROWS_MAX,
      signal,
    });
  } finally {
    await connection.close();
  }
}
