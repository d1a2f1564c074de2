import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import type { WorkerPool } from '../../../src/threads/worker-pool.ts';
import { Visitor } from '../../support/visitor.ts';
import { type ShareOneOptions, shareOne } from './share-one.ts';

/** Stands in every place that a stranger must not see. */
export const PLANTED = 'pl4nted';

const TEMPLATE = `
args: { pl4nted_arg: { type: string, default: pl4nted argument } }
job_config:
  pl4nted_contact:
    type: form
    title: Contact
    fields:
      - { key: email, label: E-mail, type: text, format: email, required: true }
      - { key: plan, label: Plan, type: select, options_source: { connector: pl4nted_shop, method: query, args: { sql: "SELECT id, name FROM pl4nted_plans" }, label_expr: "item.name & $substring('pl4nted', 7)", value_expr: "$string(item.id)" } }
      - { key: note, label: Note, type: text, hide_if_expr: "email = 'rule@example.com' ? $error('pl4nted rule') : email = 'hidden@example.com'" }
      - { key: broken, label: Broken, type: select, options_source: { connector: pl4nted_shop, method: query, args: { sql: "SELECT pl4nted FROM pl4nted_nowhere" }, value_expr: item.id } }
  pl4nted_map:
    type: field_mapping
    title: Fields
    allow_transform: true
    default: [{ source_field: name, target_field: label, transform: "$uppercase('pl4nted')" }]
    source: { options_source: { connector: pl4nted_shop, method: query, args: { sql: "SELECT id FROM pl4nted_plans" }, value_expr: "$string(item.id)" } }
    validation_expr: "$count(value) > 3 ? 'At most three rows' : true"
  pl4nted_other:
    type: form
    fields: [{ key: pl4nted_key, type: text, default: pl4nted value }]
`;

/** `{ allow_public_input: ... }` comes first. */
const BOARD = `
title: Open
scope: { pl4nted_profile: { pl4nted_shop: { region: pl4nted region } } }
shared_queries:
  pl4nted_query: { connector: pl4nted_shop, method: query, args: { sql: "SELECT id, name FROM pl4nted_plans ORDER BY id" } }
pages:
  - id: seen
    title: Seen
    widgets:
      - { id: contact, type: form, config_key: pl4nted_contact }
      - { id: map, type: field_mapping, config_key: pl4nted_map }
      - { id: missing, type: form, config_key: pl4nted_missing }
      - { id: plans, type: table, shared_query: pl4nted_query, searchable: true, export: true, columns: [{ key: name, label: Name, href_expr: "'https://example.com/' & $string(item.id) & $substring('pl4nted', 7)" }, { key: size, value_expr: "$length(item.name & $substring('pl4nted', 7))" }] }
      - { id: orders, type: explorer, connector: pl4nted_shop, method: list, args: { table: pl4nted_orders }, scope: pl4nted_profile, search: true, export: true, page_size: 2, columns: [{ key: id }, { key: name }], filters: [{ key: id, type: number }] }
      - { id: plain, type: table, shared_query: pl4nted_query, columns: [{ key: name }] }
      - { id: gone, type: explorer, connector: pl4nted_shop, method: list, args: { table: pl4nted_gone }, export: true }
      - { id: preset, type: explorer, connector: pl4nted_shop, method: list, args: { table: pl4nted_orders }, preset: pl4nted preset, export: true }
      - { id: own, type: stat, connector: pl4nted_shop, method: query, args: { sql: "SELECT 'pl4nted' AS hidden, 4 AS n" }, transform_expr: "data[hidden = 'pl4nted']", value_expr: "data[0].n" }
      - { id: sum, type: stat, shared_query: pl4nted_query, value_expr: "$count(data) + $length('pl4nted')", visible_if_expr: "job_config.pl4nted_other.pl4nted_key != ''" }
      - { id: visit, type: action, label: Visit, allow_public: true, cooldown_seconds: 30, success_message: "Thanks, {{ value.name & $substring('pl4nted', 7) }}", input: [{ key: name, label: Name, type: text, required: true }, { key: plan, type: select, hide_if_expr: "name = 'pl4nted'", options_source: { connector: pl4nted_shop, method: query, args: { sql: "SELECT id, name FROM pl4nted_plans" }, value_expr: "$string(item.id)" } }], run: { connector: pl4nted_shop, method: insert, args: { table: pl4nted_visits, rows: [{ name: "{{ value.name }}" }] } } }
      - { id: fails, type: action, label: Fails, allow_public: true, run: { connector: pl4nted_shop, method: insert, args: { table: pl4nted_gone, rows: [{ name: pl4nted }] } } }
      - { id: lost, type: action, label: Lost, allow_public: true, run: { connector: pl4nted_nobody, method: insert, args: { table: a, rows: [{ b: 1 }] } } }
      - { id: throws, type: action, label: Throws, allow_public: true, run: { connector: pl4nted_shop, method: insert, args: { table: "{{ $error('pl4nted') }}", rows: [{ name: a }] } } }
      - { id: start, type: action, label: Start, allow_public: true, run: { task: say, args: { pl4nted_unknown: pl4nted } } }
      - { id: go, type: action, label: Go, allow_public: true, run: { job: true } }
      - { id: inside, type: action, label: pl4nted inside, run: { job: true } }
  - id: pl4nted_page
    title: pl4nted title
    public: false
    widgets:
      - { id: inner_form, type: form, config_key: pl4nted_other }
      - { id: inner_table, type: table, shared_query: pl4nted_query, export: true, columns: [{ key: name }] }
      - { id: inner_action, type: action, label: pl4nted, allow_public: true, run: { job: true } }
`;

export interface PublicSceneOptions extends Omit<ShareOneOptions, 'pool' | 'publicInput'> {
  /** The switch in the document. Default true. */
  readonly documentAllows?: boolean;
  /** The switch of the server. Default true. */
  readonly serverAllows?: boolean;
}

/**
 * A shared dashboard with every kind of input and rows, over a SQLite file of its own, and ways to look behind it. Scenes may have
 * one pool: its threads know documents by id and version, and what they read of this one is the same in all scenes.
 */
export async function openPublicScene(
  t: Test,
  store: Store,
  { folder, pool }: { readonly folder: string; readonly pool: WorkerPool },
  { documentAllows = true, serverAllows = true, ...options }: PublicSceneOptions = {},
) {
  const own = join(folder, `${store.dialect.name}-${Math.random().toString(36).slice(2)}`);
  mkdirSync(own);
  const path = join(own, 'shop.db');
  fill(path);
  const shared = await shareOne(
    t,
    store,
    folder,
    {
      connectors: { pl4nted_shop: { type: 'sqlite', config: { path } } },
      template: TEMPLATE,
      dashboards: [`allow_public_input: ${documentAllows}${BOARD}`],
    },
    { ...options, pool, publicInput: serverAllows },
  );
  const { link, as, job } = shared;
  const at = (widget: string, use: string) => `${link}/widgets/${widget}/${use}`;
  return {
    ...shared,
    visitor: (address?: string) => new Visitor(shared.app, {}, address),
    at,
    /** What the visits table holds. */
    visits: () => namesIn(path, 'pl4nted_visits'),
    config: async () =>
      (await as('viewer').get<{ values: Record<string, unknown> }>(`${job}/config`)).body.values,
    jobRuns: async () => (await as('viewer').get<{ result: unknown[] }>(`${job}/runs`)).body.result?.length,
    audit: async () =>
      store.read
        .selectFrom('audit_logs')
        .selectAll()
        .where('actor_type', '=', 'public')
        .orderBy('id')
        .execute(),
  };
}

function fill(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE pl4nted_plans (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO pl4nted_plans (name) VALUES ('Small'), ('Large');
    CREATE TABLE pl4nted_orders (id INTEGER PRIMARY KEY, name TEXT, region TEXT, salary REAL);
    INSERT INTO pl4nted_orders (name, region, salary) VALUES ('a', 'pl4nted region', 1), ('b', 'pl4nted region', 2),
      ('c', 'pl4nted region', 3), ('d', 'elsewhere', 4);
    CREATE TABLE pl4nted_visits (name TEXT)`);
  database.close();
}

function namesIn(path: string, table: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare(`SELECT name FROM ${table}`)
      .all()
      .map((row) => row['name']);
  } finally {
    database.close();
  }
}
