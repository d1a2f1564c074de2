import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Test } from 'tap';
import type { ApiClient } from './api-client.ts';
import { BareExecutor, stepOf } from './bare-executor.ts';
import { EXECUTOR_KEY } from './full-app.ts';
import { type ServedHere, serveHere } from './serve-here.ts';
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

export interface OrdersIds {
  readonly jobId: number;
  readonly templateId: number;
  readonly sourceId: number;
  readonly targetId: number;
  readonly jobRunId: number;
}

export interface Orders extends OrdersIds {
  readonly served: Served;
}

/** A real server whose job of orders has run once, and has refused three rows and one record. */
export async function serveOrders(t: Test): Promise<Orders> {
  const served = await serve(t);
  const { api, folder } = served;
  const ids = await startOrders(api, folder);
  await until('the job run ends', 60_000, async () => {
    const run = await api.get<{ ended_at: string | null }>(`/api/job-runs/${ids.jobRunId}`);
    return run.ended_at !== null;
  });
  return { served, ...ids };
}

/** The same as far as people see it, for less: in a control plane of this process, the run only told of by an executor that ran nothing. */
export interface ToldOrders extends OrdersIds, ServedHere {}

export async function tellOrders(t: Test): Promise<ToldOrders> {
  const served = await serveHere(t);
  const { api, folder, url } = served;
  const ids = await startOrders(api, folder);
  const warehouse = new DatabaseSync(join(folder, 'warehouse.db'));
  warehouse.exec(`CREATE TABLE orders (id INTEGER, customer TEXT, ordered_on TEXT, amount REAL);
    INSERT INTO orders VALUES (1, 'Nord GmbH', '2026-02-01', 10.5), (6, 'West', '2026-02-06', 99)`);
  warehouse.close();
  const executor = await BareExecutor.register(url, ['csv', 'sqlite'], EXECUTOR_KEY);
  const lease = await executor.take();
  await executor.log(lease, 1, [{ message: 'Read orders.csv', step_id: 'read' }]);
  await executor.leave(lease, 3, { customer: HOSTILE });
  await executor.complete(lease, {
    status: 'warning',
    reason: 'item_errors',
    rows_failed: 3,
    last_log_seq: 1,
    steps: [
      stepOf('read', 'extract', 'success'),
      { ...stepOf('shape', 'transform', 'success'), rows_failed: 3 },
      stepOf('write', 'load', 'success'),
    ],
  });
  return { ...served, ...ids };
}

/** Makes the connectors, the task, the template and the job, and starts it. */
async function startOrders(api: ApiClient, folder: string): Promise<OrdersIds> {
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
  return { jobId, templateId, sourceId, targetId, jobRunId };
}
