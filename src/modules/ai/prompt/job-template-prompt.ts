export const EXAMPLE_TEMPLATE = `version: 1
name: shop_to_warehouse
description: Customers and orders of a shop into the warehouse; one job for each shop.
connectors:
  shop: { type: sqlite, required: true, description: The shop's own database }
  warehouse: { type: postgres, required: true }
args:
  status: { type: string, default: open }
job_config:
  options:
    type: form
    title: Options
    fields:
      - { key: with_report, label: Write the report, type: boolean, default: true }
tasks:
  customers: { task: sync_customers }
  orders:
    task: sync_orders
    needs: [customers]
    args: { status: "{{ args.status }}" }
  report:
    task: write_report
    needs: [orders]
    when: job_config.options.with_report
`;

/** What a model must know of job templates besides their schema. */
export const JOB_TEMPLATE_RULES = `The language:
- The nodes under \`tasks\` run existing tasks: \`task\` is the name of one of those listed in the message. \`needs\` says which nodes come before; nodes without it start together.
- Names under \`connectors\` are those that the tasks declare, with the same types: a job fills each with a saved connector. If a task calls one differently, the node's \`connectors\` maps the task's name to that of the template.
- "{{ expression }}" inside a text is a JSONata expression; \`when\` is a bare one. They read \`args\`, \`job_config\` and \`run\`.
- \`job_config\` holds what differs between jobs and is edited by people in forms.
- Never write addresses, passwords or other credentials: connectors have them.
- Durations are written 30s, 5m, 2h, 1d.`;
