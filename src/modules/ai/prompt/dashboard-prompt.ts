export const EXAMPLE_DASHBOARD = `title: Orders
description: What was sold, as of the newest run.
refresh_interval_seconds: 60
shared_queries:
  days:
    connector: warehouse
    method: query
    args: { sql: "SELECT ordered_on, count(*)::int AS orders, sum(amount)::float AS revenue FROM orders GROUP BY ordered_on ORDER BY ordered_on" }
pages:
  - id: sales
    title: Sales
    widgets:
      - { id: revenue, type: stat, title: Revenue, width: 3, shared_query: days, value_expr: $sum(data.revenue), format: currency:EUR }
      - id: by_day
        type: line_chart
        title: Revenue a day
        width: 9
        shared_query: days
        x_expr: item.ordered_on
        x_type: time
        series: [{ label: Revenue, value_expr: item.revenue }]
      - id: newest
        type: table
        title: Newest orders
        connector: warehouse
        method: query
        args: { sql: "SELECT id, customer, amount::float AS amount FROM orders ORDER BY id DESC LIMIT 50" }
        searchable: true
        columns:
          - { key: id, label: Order, format: text }
          - { key: customer, label: Customer }
          - { key: amount, label: Amount, format: number, decimals: 2 }
  - id: internal
    title: Runs
    public: false
    widgets:
      - { id: load, type: task_progress, title: Newest load, task_key: load }
`;

/** What a model must know of dashboards besides their schema. */
export const DASHBOARD_RULES = `The language:
- A dashboard belongs to the job template in the message: \`connector\` is one of its names, \`task_key\` one of its nodes, \`config_key\` an entry of its \`job_config\`.
- A widget gets \`data\` from \`connector\`, \`method\` and \`args\`, from a \`shared_query\`, or from a \`source\`. Only methods that read are allowed, except in actions. Prefer one shared query to the same call in several widgets.
- Keys that end in \`_expr\` are bare JSONata expressions: they read \`data\`, \`item\` for each record, \`args\`, \`job_config\`; text in them is quoted in single quotes.
- PostgreSQL returns \`numeric\` and sums of integers as text: cast them in the query, as in sum(amount)::float.
- \`width\` is of twelve columns. \`public: false\` hides a page or widget from share links: use it for what customers should not see.
- Never write addresses, passwords or other credentials: connectors have them.`;
