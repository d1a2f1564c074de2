/** Examples of the OpenAPI document, the first thing its readers copy. Tests prove that each is valid. */
export const TASK_YAML = `version: 1
name: load_orders
description: Orders from a CSV file into PostgreSQL
connectors:
  file: { type: csv }
  warehouse: { type: postgres }
retry: { max_attempts: 3, delay: 5s }
steps:
  - { id: read, kind: extract, connector: file, method: read }
  - id: shape
    kind: transform
    input: read
    ops:
      - cast: { order_id: integer, quantity: integer, unit_price: number }
      - filter: item.status != 'cancelled'
      - set: { amount: "$round(item.quantity * item.unit_price, 2)" }
    on_error: { action: dead_letter, max_error_rate: 0.05 }
  - { id: write, kind: load, input: shape, connector: warehouse, object: public.orders, mode: merge, key: [order_id] }
`;

export const JOB_TEMPLATE_YAML = `version: 1
name: orders
description: A shop's orders, every night
connectors:
  file: { type: csv }
  warehouse: { type: postgres }
job_config:
  filter:
    type: form
    title: What is imported
    fields:
      - { key: leave_out_cancelled, label: Leave out cancelled orders, type: boolean, default: true }
tasks:
  orders: { task: load_orders }
  totals: { task: sum_up_orders, needs: [orders] }
`;

export const DASHBOARD_YAML = `dashboard:
  title: Orders
  refresh_interval_seconds: 30
  widgets:
    - { id: title, type: heading, text: What was sold }
    - id: by_day
      type: bar_chart
      title: Revenue by day
      connector: warehouse
      method: query
      args: { sql: "SELECT ordered_on::text AS day, sum(amount)::float AS revenue FROM orders GROUP BY 1 ORDER BY 1" }
      x_expr: item.day
      series: [{ label: Revenue, value_expr: item.revenue }]
    - { id: run, type: task_progress, task_key: orders, title: The newest run }
`;
