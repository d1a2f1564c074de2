import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { member } from '../../http/access.ts';
import { pageQuery, sortable } from '../../http/paging.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { selectAudit } from './audit-store.ts';

const auditRecord = z
  .object({
    id: z.number().int(),
    at: z.string(),
    actor_type: z.string(),
    actor_id: z.number().int().nullable(),
    actor_name: z.string(),
    action: z.string(),
    resource_type: z.string(),
    resource_id: z.string().nullable(),
    diff: z.unknown(),
    address: z.string().nullable(),
    request_id: z.string().nullable(),
    outcome: z.string(),
  })
  .meta({ id: 'AuditLog' });

const auditQuery = pageQuery.extend({
  sort: sortable(['id'], '-id'),
  resource_type: z.string().max(64).optional(),
  resource_id: z.string().max(64).optional(),
  action: z.string().max(64).optional(),
  actor_id: z.coerce.number().int().optional(),
});

const group = { tag: 'Audit', read: member('admin', 'audit:read') };

export function registerAuditRoutes(app: App, store: Store): void {
  const routes = new Routes(app, group);
  routes.list(
    '/api/audit-logs',
    {
      id: 'listAuditLogs',
      summary: 'Every change, newest first',
      query: auditQuery,
      answer: auditRecord,
    },
    ({ query }, paging) => selectAudit(store.read, query, paging),
    ({ diff_json, at, ...row }) => ({
      ...row,
      at: timestamp(at),
      diff: diff_json === null ? null : parseJsonText(diff_json),
    }),
  );
}
