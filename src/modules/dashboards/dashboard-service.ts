import type { Cipher } from '../../base/cipher.ts';
import { type Clock, timestampOrNull } from '../../base/clock.ts';
import { AppError, notFound, validationError } from '../../base/errors.ts';
import { randomToken, sha256 } from '../../base/ids.ts';
import { requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { ParseDashboard, ParsedDashboard } from '../dashboard-templates/dashboard-template.ts';
import { selectDashboardTemplatesOf } from '../dashboard-templates/dashboard-template-store.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import { defaultArgs } from '../jobs/job.ts';
import type { PrepareDashboards } from '../jobs/job-service.ts';
import { selectJob } from '../jobs/job-store.ts';
import type { DashboardRow } from './dashboard.ts';
import {
  deleteDashboard,
  insertDashboard,
  lockDashboard,
  type NewDashboard,
  selectDashboard,
  selectDashboardByShare,
  updateDashboard,
  updateShare,
  updateShareExpiry,
} from './dashboard-store.ts';

export interface DashboardsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly parseDashboard: ParseDashboard;
}

export interface DashboardInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly yaml_content: string;
}

export interface ShareLink {
  readonly share_token: string;
  readonly public_url: string;
}

export type Dashboards = ReturnType<typeof createDashboards>;

/** Dashboards of jobs, and their share links. */
export function createDashboards({ store, clock, cipher, parseDashboard }: DashboardsDeps) {
  /** Parsing happens here, before the transaction; inside, a template that has changed since is noticed. */
  const prepare: PrepareDashboards = async (jobTemplateId, vars) => {
    const templates = (await selectDashboardTemplatesOf(store.read, jobTemplateId)).filter(
      (row) => row.status === 'active',
    );
    const prepared = await Promise.all(
      templates.map(async (template) => ({
        template,
        parsed: await parseSnapshot(template, vars),
      })),
    );
    return async (tx, jobId, now) => {
      const current = (await selectDashboardTemplatesOf(tx, jobTemplateId)).filter(
        (row) => row.status === 'active',
      );
      const stamp = (rows: readonly { id: number; version: number }[]) =>
        rows.map((row) => `${row.id}@${row.version}`).join();
      if (stamp(current) !== stamp(templates)) return 'changed';
      for (const { template, parsed } of prepared) {
        const { name, description, yaml_content, id } = template;
        await insertDashboard(
          tx,
          { job_id: jobId, dashboard_template_id: id, name, description, yaml_content, ...jsonOf(parsed) },
          now,
        );
      }
      return 'written';
    };
  };

  /** The problems name the template: whoever creates a job did not write it. */
  async function parseSnapshot(
    { name, yaml_content }: { readonly name: string; readonly yaml_content: string },
    vars: Readonly<Record<string, unknown>>,
  ): Promise<ParsedDashboard> {
    const parsed = await parseDashboard(yaml_content, vars);
    if (parsed.ok) return parsed;
    const where = (message: string) => `The dashboard template "${name}" cannot be used: ${message}`;
    throw validationError(
      parsed.problems.map((problem) => ({ ...problem, message: where(problem.message) })),
    );
  }

  async function parseOrThrow(
    yaml: string,
    vars: Readonly<Record<string, unknown>>,
  ): Promise<ParsedDashboard> {
    const parsed = await parseDashboard(yaml, vars);
    if (!parsed.ok) throw validationError(parsed.problems);
    return parsed;
  }

  async function update(
    id: number,
    input: DashboardInput,
    expected: number | null,
    actor: Actor,
  ): Promise<DashboardRow> {
    const found = await selectDashboard(store.read, id);
    const job = found === null ? null : await selectJob(store.read, found.job_id);
    if (found === null || job === null) throw notFound('dashboard', id);
    const parsed = await parseOrThrow(input.yaml_content, defaultArgs(parsedOf(job)));
    return store.write(async (tx) => {
      const before = await lockedDashboard(tx, id);
      requireVersion(expected, before.version);
      const description = input.description ?? null;
      const same = before.yaml_content === input.yaml_content && before.name === input.name;
      if (same && before.description === description) return before;
      const now = clock.now();
      const change = { name: input.name, description, yaml_content: input.yaml_content, ...jsonOf(parsed) };
      const row = await updateDashboard(tx, before, change, now);
      const diff = { version: [before.version, row.version] };
      await insertAudit(
        tx,
        actor,
        { action: 'dashboard.update', resourceType: 'dashboard', resourceId: id, diff },
        now,
      );
      return row;
    });
  }

  async function remove(id: number, expected: number | null, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const row = await lockedDashboard(tx, id);
      requireVersion(expected, row.version);
      await deleteDashboard(tx, id);
      const entry = {
        action: 'dashboard.delete',
        resourceType: 'dashboard',
        resourceId: id,
        diff: { name: row.name },
      };
      await insertAudit(tx, actor, entry, clock.now());
    });
  }

  /**
   * The link that stands, or a new one where there is none or it has expired. `expiresAt` undefined leaves the expiry of a link
   * that stands as it is; a new one then never expires. `VALIDATION_ERROR` for a time that is past.
   */
  async function share(id: number, expiresAt: number | null | undefined, actor: Actor): Promise<ShareLink> {
    return store.write(async (tx) => {
      const row = await lockedDashboard(tx, id);
      const now = clock.now();
      if (typeof expiresAt === 'number' && expiresAt <= now)
        throw new AppError('VALIDATION_ERROR', '"expires_at" lies in the past: give a later time, or null');
      const entry = { action: 'dashboard.share', resourceType: 'dashboard', resourceId: id };
      if (hasLink(row, now)) {
        if (expiresAt !== undefined && expiresAt !== row.share_expires_at) {
          await updateShareExpiry(tx, id, expiresAt);
          const diff = { expires_at: [timestampOrNull(row.share_expires_at), timestampOrNull(expiresAt)] };
          await insertAudit(tx, actor, { ...entry, diff }, now);
        }
        return openLink(row);
      }
      const link = await newLink(tx, id, expiresAt ?? null);
      const diff = { expires_at: timestampOrNull(expiresAt ?? null) };
      await insertAudit(tx, actor, { ...entry, diff }, now);
      return link;
    });
  }

  /** A new link with the expiry of the one that stands, which is dead at once. `NOT_FOUND` where none stands. */
  async function rotateShare(id: number, actor: Actor): Promise<ShareLink> {
    return store.write(async (tx) => {
      const row = await lockedDashboard(tx, id);
      const now = clock.now();
      if (!hasLink(row, now)) throw noLink(id);
      const link = await newLink(tx, id, row.share_expires_at);
      const entry = { action: 'dashboard.share_rotate', resourceType: 'dashboard', resourceId: id };
      await insertAudit(tx, actor, entry, now);
      return link;
    });
  }

  async function newLink(tx: Tx, id: number, expiresAt: number | null): Promise<ShareLink> {
    const token = randomToken();
    await updateShare(tx, id, {
      hash: sha256(token),
      sealed: cipher.encrypt(token, contextOf(id)),
      expiresAt,
    });
    return linkTo(token);
  }

  function openLink(row: { readonly id: number; readonly share_token_encrypted: string }): ShareLink {
    return linkTo(cipher.decrypt(row.share_token_encrypted, contextOf(row.id)));
  }

  /** The link that stands. `NOT_FOUND` where there is none, or it has expired. */
  function linkOf(row: DashboardRow): ShareLink & { readonly expires_at: string | null } {
    if (!hasLink(row, clock.now())) throw noLink(row.id);
    return { ...openLink(row), expires_at: timestampOrNull(row.share_expires_at) };
  }

  async function lockedDashboard(tx: Tx, id: number): Promise<DashboardRow> {
    const row = await lockDashboard(tx, store.dialect, id);
    if (row === null) throw notFound('dashboard', id);
    return row;
  }

  async function revoke(id: number, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const row = await lockedDashboard(tx, id);
      if (row.share_token_hash === null) return;
      await updateShare(tx, id, null);
      await insertAudit(
        tx,
        actor,
        { action: 'dashboard.share_revoke', resourceType: 'dashboard', resourceId: id },
        clock.now(),
      );
    });
  }

  /** The dashboard behind a share token. Unknown, revoked and expired tokens are one and the same `NOT_FOUND`. */
  async function byShareToken(token: string): Promise<DashboardRow> {
    const row = await selectDashboardByShare(store.read, sha256(token));
    if (row === null || !hasLink(row, clock.now())) throw new AppError('NOT_FOUND', 'This link is not valid');
    return row;
  }

  return { prepare, update, remove, share, rotateShare, linkOf, revoke, byShareToken };
}

/** A link that has not expired. */
function hasLink(
  row: DashboardRow,
  now: number,
): row is DashboardRow & { readonly share_token_encrypted: string } {
  return row.share_token_encrypted !== null && (row.share_expires_at === null || row.share_expires_at > now);
}

function linkTo(token: string): ShareLink {
  return { share_token: token, public_url: `/share/${token}` };
}

function noLink(id: number): AppError {
  return new AppError('NOT_FOUND', `The dashboard "${id}" has no share link: make one first`);
}

const contextOf = (id: number) => `dashboard/${id}/share`;

function jsonOf(parsed: ParsedDashboard): Pick<NewDashboard, 'document_json' | 'public_json'> {
  return {
    document_json: JSON.stringify(parsed.dashboard),
    public_json: JSON.stringify(parsed.publicDashboard),
  };
}
