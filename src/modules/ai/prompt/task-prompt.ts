export const EXAMPLE_TASK = `version: 1
name: sync_orders
description: Open orders into the warehouse; an order that is there already is brought up to date.
connectors:
  shop: { type: sqlite }
  warehouse: { type: postgres }
args:
  status: { type: string, default: open }
retry: { max_attempts: 3, delay: 5s }
steps:
  - id: read
    kind: extract
    connector: shop
    method: list
    args:
      table: orders
      filter: { status: "{{ args.status }}" }
  - id: shape
    kind: transform
    input: read
    ops:
      - filter: "item.quantity > 0"
      - set: { amount: "$round(item.quantity * item.unit_price, 2)" }
      - cast: { order_id: integer, ordered_on: date }
      - drop: [unit_price]
    on_error: { action: dead_letter, max_error_rate: 0.05 }
  - id: write
    kind: load
    input: shape
    connector: warehouse
    object: public.orders
    mode: merge
    key: [order_id]
  - id: some_orders
    kind: assert
    check_expr: steps.write.count > 0
    severity: warn
    message: There are no open orders
`;

/** What a model must know of tasks besides their schema. */
export const TASK_RULES = `The language:
- Steps run in their order; \`needs\` changes that. Rows stream from an extract through transforms into a load, each naming the step before as its \`input\`.
- "{{ expression }}" inside a text is a JSONata expression. Keys that end in \`_expr\`, \`when\`, \`filter\` and the values of \`set\` are bare JSONata expressions: text in them is quoted in single quotes.
- Expressions read: \`args\`, \`job_config\`, \`state\`, \`run\` (id, attempt, scheduled_for, interval_start, interval_end), \`steps.<id>\` (count, status, output), and for each row \`item\` and \`index\`.
- Names under \`connectors\` are the task's own, made of letters, digits and underscores. Never write addresses, passwords or other credentials: connectors have them.
- Durations are written 30s, 5m, 2h, 1d.`;
