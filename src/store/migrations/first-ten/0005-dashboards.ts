import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Passwords of share links, the origin of dashboard snapshots, actions of dashboards, explorer presets. */
export const addDashboardInput: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table dashboards add column share_password_hash text`,
    `alter table dashboards add column template_version bigint`,
    `alter table dashboards add column template_yaml_hash text`,
    `create table dashboard_actions (
      dashboard_id bigint not null references dashboards(id) on delete cascade, widget_id text not null,
      acted_at bigint not null, acted_by text not null, cooldown_until bigint, outcome text not null,
      job_run_id bigint, primary key (dashboard_id, widget_id))`,
    `create table explorer_presets (
      id $id, name text not null, description text, connector_id bigint not null references connectors(id) on delete cascade,
      resource text not null, columns_json text not null, filter_json text not null, sort_json text not null,
      visibility text not null, owner_id bigint references users(id) on delete cascade, version bigint not null default 1, created_at bigint not null,
      updated_at bigint not null, updated_by text)`,
    `create unique index explorer_presets_team on explorer_presets (connector_id, name) where visibility = 'team'`,
    `create unique index explorer_presets_own on explorer_presets (connector_id, owner_id, name)
      where visibility = 'private'`,
  ]);
