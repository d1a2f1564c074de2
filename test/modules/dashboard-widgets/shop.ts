import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JobSeed } from '../jobs/seed-job.ts';

/** A small shop in a SQLite file of `folder`: 3 orders of 10, 20 and 30. */
export function createShop(folder: string): JobSeed['connectors'] & object {
  const path = join(folder, 'shop.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL);
    INSERT INTO orders (amount) VALUES (10), (20), (30)`);
  database.close();
  return { shop: { type: 'sqlite', config: { path } } };
}

/** `WidgetBatchDataResponse`. */
export interface Batch {
  widgets: Record<string, { data?: unknown; error?: string }>;
  error?: string;
  message?: string;
}

/** A stat of the sum of all orders. */
export const sumWidget = (id: string) =>
  `{ id: ${id}, type: stat, connector: shop, method: query, args: { sql: "SELECT sum(amount) AS total FROM orders" }, value_expr: "data[0].total" }`;

export const dashboardOf = (...widgets: readonly string[]) =>
  ['title: Shop', `widgets: [${widgets.join(', ')}]`, ''].join('\n');
