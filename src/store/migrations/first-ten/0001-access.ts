import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Access and its history: users, sessions, keys, audit. */
export const createAccess: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create table secrets (name text primary key, value text not null, created_at bigint not null)`,
    `create table users (
      id $id, email text not null unique, name text not null, role text not null, password_hash text not null,
      totp_secret_encrypted text, totp_confirmed integer not null default 0, totp_last_step bigint not null default 0,
      recovery_hashes_json text not null default '[]', status text not null default 'active',
      version bigint not null default 1, created_at bigint not null, updated_at bigint not null)`,
    `create table sessions (
      id $id, token_hash text not null unique, user_id bigint not null references users(id) on delete cascade,
      kind text not null, created_at bigint not null, last_seen_at bigint not null, expires_at bigint not null,
      address text not null, user_agent text not null)`,
    `create index sessions_user on sessions (user_id)`,
    `create table api_keys (
      id $id, name text not null, prefix text not null, token_hash text not null unique,
      user_id bigint not null references users(id) on delete cascade, scopes_json text not null,
      expires_at bigint, last_used_at bigint, revoked_at bigint, created_at bigint not null)`,
    `create table auth_failures (id $id, subject text not null, at bigint not null)`,
    `create index auth_failures_subject on auth_failures (subject, at)`,
    `create table audit_logs (
      id $id, at bigint not null, actor_type text not null, actor_id bigint, actor_name text not null,
      action text not null, resource_type text not null, resource_id text, diff_json text, address text,
      request_id text, outcome text not null)`,
    `create index audit_logs_resource on audit_logs (resource_type, resource_id, id)`,
    `create table idempotency_keys (
      principal text not null, key text not null, request_hash text not null, status integer, body text,
      created_at bigint not null, primary key (principal, key))`,
    `create table server_config (
      key text primary key, value_json text not null, version bigint not null, updated_at bigint not null)`,
  ]);
