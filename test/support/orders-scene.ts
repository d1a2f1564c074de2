import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type Served, serve, until } from './served.ts';

/** Ends a page’s script where a name is not text. */
export const HOSTILE = '<img src=x onerror=alert(1)>';

const TASK = `version: 1
name: orders
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - id: read
    kind: extract
    connector: source
    method: read
    args: { typed: false }
    cursor: { field: id, type: integer, initial: 0 }
    on_error: { action: dead_letter }
  - id: shape
    kind: transform
    input: read
    ops:
      - cast: { id: integer, amount: number, ordered_on: date }
    on_error: { action: dead_letter }
  - { id: write, kind: load, input: shape, connector: target, object: orders, mode: merge, key: [id] }
`;

const TEMPLATE = `version: 1
name: orders
connectors: { source: { type: csv, required: true }, target: { type: sqlite, required: true } }
job_config:
  options:
    type: form
    title: Options
    fields:
      - { key: currency, label: Currency, type: select, options: [{ label: Euro, value: EUR }, { label: Dollar, value: USD }], default: EUR }
      - { key: limit, label: Limit, type: number }
tasks: { load: { task: orders } }
`;

const ROWS = `id,customer,ordered_on,amount
1,Nord GmbH,2026-02-01,10.50
2,${HOSTILE},2026-02-31,7
3,"مرحبا بالعالم 🚚",2026-02-03,n/a
4,Süd AG,31.02.2026,12
5,too short
6,West,2026-02-06,99
`;

export interface Orders {
  readonly served: Served;
  readonly jobId: number;
  readonly templateId: number;
  readonly sourceId: number;
  readonly targetId: number;
  readonly jobRunId: number;
}

/** A real server whose job of orders has run once, and has refused three rows and one record. */
export async function serveOrders(t: Test): Promise<Orders> {
  const served = await serve(t);
  const { api, folder } = served;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'orders.csv'), ROWS);
  const make = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
  const connector = (name: string, type: string, config: object) =>
    make('/api/connectors', { name, type, config });
  const sourceId = await connector('Orders of Nord', 'csv', { path: join(folder, 'orders.csv') });
  const targetId = await connector('Warehouse', 'sqlite', {
    path: join(folder, 'warehouse.db'),
    create: true,
  });
  await make('/api/tasks', { yaml_content: TASK });
  const templateId = await make('/api/job-templates', { name: 'Orders', yaml_content: TEMPLATE });
  const jobId = await make(`/api/job-templates/${templateId}/jobs`, {
    name: 'Nord: orders',
    connector_mapping: { source: sourceId, target: targetId },
  });
  const jobRunId = await make(`/api/jobs/${jobId}/runs`, {});
  await until('the job run ends', 60_000, async () => {
    const run = await api.get<{ ended_at: string | null }>(`/api/job-runs/${jobRunId}`);
    return run.ended_at !== null;
  });
  return { served, jobId, templateId, sourceId, targetId, jobRunId };
}
