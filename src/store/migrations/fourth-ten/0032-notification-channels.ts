import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

const SORTS = ['name', 'created_at', 'updated_at'];

/**
 * Receivers of events besides webhooks, templates as their scope, and alerts that were sent and have not ended. Lists of webhooks
 * are of one kind from now on, so their indexes begin with it.
 */
export const addNotificationChannels: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table webhooks add column kind text not null default 'webhook'`,
    `alter table webhooks add column settings_json text not null default '{}'`,
    `alter table webhooks add column template_ids_json text`,
    `alter table webhooks add column dead_letters_over bigint not null default 0`,
    `create table open_alerts (
      webhook_id bigint not null references webhooks(id) on delete cascade, event text not null,
      subject_id bigint not null, opened_at bigint not null, primary key (webhook_id, event, subject_id))`,
    ...['enabled', ...SORTS, ...SORTS.map((sort) => `enabled_${sort}`)].map(
      (name) => `drop index webhooks_by_${name}`,
    ),
    ...[['kind'], ['kind', 'enabled']].flatMap((filters) =>
      [[], ...SORTS.map((sort) => [sort])].map((sorts) => {
        const columns = [...filters, ...sorts];
        return `create index webhooks_by_${columns.join('_')} on webhooks (${[...columns, 'id'].join(', ')})`;
      }),
    ),
  ]);
