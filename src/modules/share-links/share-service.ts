import { LRUCache } from 'lru-cache';
import type { Cipher } from '../../base/cipher.ts';
import { type Clock, timestampOrNull } from '../../base/clock.ts';
import { AppError, requireFound } from '../../base/errors.ts';
import { randomToken, sha256 } from '../../base/ids.ts';
import type { Db, Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { Passwords } from '../auth/password.ts';
import { type DashboardRow, documentKey } from '../dashboards/dashboard.ts';
import { lockDashboard, selectDashboard } from '../dashboards/dashboard-store.ts';
import { embedOriginsOf, joinOrigins, splitOrigins } from './embed-origins.ts';
import {
  type ShareRow,
  type ShareTerms,
  selectDashboardByShare,
  selectShareByHash,
  updateShare,
  updateShareTerms,
} from './share-store.ts';

const DASHBOARDS_MAX = 500;
const CHARS_MAX = 32_000_000;

export interface ShareLink {
  readonly share_token: string;
  /** The page for people, as a path. */
  readonly public_url: string;
}

export interface ShareLinkDetail extends ShareLink {
  readonly expires_at: string | null;
  readonly has_password: boolean;
  readonly embed_origins: readonly string[];
}

/** What whoever shares may set. An absent key changes nothing; null removes the value. */
export interface ShareInput {
  readonly expiresAt?: number | null | undefined;
  /** In clear: it is hashed here, and neither stored nor answered as it is. */
  readonly password?: string | null | undefined;
  /** Sites allowed to embed the page; none where it is empty. */
  readonly embedOrigins?: readonly string[] | undefined;
}

export interface SharesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly passwords: Pick<Passwords, 'hash'>;
}

export type Shares = ReturnType<typeof createShares>;

/** Share links of dashboards: one at most for each, with an expiry and a password where they are wanted. */
export function createShares({ store, clock, cipher, passwords }: SharesDeps) {
  const shared = new SharedDashboards(store.read);

  /**
   * The current link, or a new one where there is none or it has expired; a new one keeps the password, and not the expiry,
   * of one that has expired. `VALIDATION_ERROR` for an expiry that is past, or an origin that is none.
   */
  async function share(id: number, input: ShareInput, actor: Actor): Promise<ShareLink> {
    const { embedOrigins } = input;
    const origins = embedOrigins === undefined ? undefined : joinOrigins(embedOriginsOf(embedOrigins));
    const passwordHash = await hashed({ store, passwords }, id, input.password);
    return store.write(async (tx) => {
      const row = await lockedDashboard(tx, store.dialect, id);
      const now = clock.now();
      requireFuture(input.expiresAt, now);
      const stands = hasLink(row, now);
      const before = { ...termsOf(row), ...(!stands && { expiresAt: null }) };
      const after = changed(before, { expiresAt: input.expiresAt, passwordHash, embedOrigins: origins });
      const entry = { action: 'dashboard.share', resourceType: 'dashboard', resourceId: id };
      const diff = termsDiff(before, after);
      if (!stands) {
        const link = await newLink(tx, cipher, id, after);
        const expires_at = timestampOrNull(after.expiresAt);
        await insertAudit(tx, actor, { ...entry, diff: { ...diff, expires_at } }, now);
        return link;
      }
      if (Object.keys(diff).length > 0) {
        await updateShareTerms(tx, id, after);
        await insertAudit(tx, actor, { ...entry, diff }, now);
      }
      return openLink(cipher, row);
    });
  }

  /** A new link with the expiry and the password of the current one, which is dead at once. `NOT_FOUND` where there is none. */
  async function rotate(id: number, actor: Actor): Promise<ShareLink> {
    return store.write(async (tx) => {
      const row = await lockedDashboard(tx, store.dialect, id);
      const now = clock.now();
      if (!hasLink(row, now)) throw noLink(id);
      const link = await newLink(tx, cipher, id, termsOf(row));
      const entry = { action: 'dashboard.share_rotate', resourceType: 'dashboard', resourceId: id };
      await insertAudit(tx, actor, entry, now);
      return link;
    });
  }

  /** Removes the link with its expiry and its password. */
  async function revoke(id: number, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const row = await lockedDashboard(tx, store.dialect, id);
      if (row.share_token_hash === null) return;
      await updateShare(tx, id, null);
      const entry = { action: 'dashboard.share_revoke', resourceType: 'dashboard', resourceId: id };
      await insertAudit(tx, actor, entry, clock.now());
    });
  }

  /** The current link. `NOT_FOUND` where there is none, or it has expired. */
  function linkOf(row: DashboardRow): ShareLinkDetail {
    if (!hasLink(row, clock.now())) throw noLink(row.id);
    return {
      ...openLink(cipher, row),
      expires_at: timestampOrNull(row.share_expires_at),
      has_password: row.share_password_hash !== null,
      embed_origins: splitOrigins(row.share_embed_origins),
    };
  }

  /** The dashboard behind a share token. Unknown, revoked and expired tokens are one and the same `NOT_FOUND`. */
  async function byToken(token: string): Promise<DashboardRow> {
    // Found by its hash, which nobody can choose: the time that takes reveals nothing.
    const row = await shared.byTokenHash(sha256(token));
    if (row === null || !hasLink(row, clock.now())) throw new AppError('NOT_FOUND', 'This link is not valid');
    return row;
  }

  /** Which sites may show the page of this token in a frame; none for a token that is not valid, or where the store is away. */
  async function embedOrigins(token: string): Promise<readonly string[]> {
    const row = await byToken(token).catch(() => null);
    return row === null ? [] : splitOrigins(row.share_embed_origins);
  }

  return { share, rotate, revoke, linkOf, byToken, embedOrigins };
}

/** Hashed before the transaction, and only for a dashboard that is there. Undefined for no change. */
async function hashed(
  { store, passwords }: Pick<SharesDeps, 'store' | 'passwords'>,
  id: number,
  password: string | null | undefined,
): Promise<string | null | undefined> {
  if (typeof password !== 'string') return password;
  requireFound(await selectDashboard(store.read, id), 'dashboard', id);
  return passwords.hash(password);
}

async function newLink(tx: Tx, cipher: Cipher, id: number, terms: ShareTerms): Promise<ShareLink> {
  const token = randomToken();
  const sealed = cipher.encrypt(token, shareTokenContext(id));
  await updateShare(tx, id, { ...terms, hash: sha256(token), sealed });
  return linkTo(token);
}

function openLink(
  cipher: Cipher,
  row: { readonly id: number; readonly share_token_encrypted: string },
): ShareLink {
  return linkTo(cipher.decrypt(row.share_token_encrypted, shareTokenContext(row.id)));
}

async function lockedDashboard(tx: Tx, dialect: Store['dialect'], id: number): Promise<DashboardRow> {
  return requireFound(await lockDashboard(tx, dialect, id), 'dashboard', id);
}

/** A link that has not expired. */
function hasLink(
  row: DashboardRow,
  now: number,
): row is DashboardRow & { readonly share_token_encrypted: string } {
  return row.share_token_encrypted !== null && (row.share_expires_at === null || row.share_expires_at > now);
}

const termsOf = (row: DashboardRow): ShareTerms => ({
  expiresAt: row.share_expires_at,
  passwordHash: row.share_password_hash,
  embedOrigins: row.share_embed_origins,
});

function requireFuture(expiresAt: number | null | undefined, now: number): void {
  if (typeof expiresAt === 'number' && expiresAt <= now)
    throw new AppError('VALIDATION_ERROR', '"expires_at" lies in the past: give a later time, or null');
}

/** The terms with what is given; undefined changes nothing. */
function changed(
  before: ShareTerms,
  given: { readonly [K in keyof ShareTerms]: ShareTerms[K] | undefined },
): ShareTerms {
  const { expiresAt, passwordHash, embedOrigins } = given;
  return {
    expiresAt: expiresAt === undefined ? before.expiresAt : expiresAt,
    passwordHash: passwordHash === undefined ? before.passwordHash : passwordHash,
    embedOrigins: embedOrigins === undefined ? before.embedOrigins : embedOrigins,
  };
}

function termsDiff(before: ShareTerms, after: ShareTerms): Record<string, unknown> {
  return {
    ...(before.expiresAt !== after.expiresAt && {
      expires_at: [timestampOrNull(before.expiresAt), timestampOrNull(after.expiresAt)],
    }),
    ...protectionDiff(before, after),
    ...(before.embedOrigins !== after.embedOrigins && {
      embed_origins: [splitOrigins(before.embedOrigins), splitOrigins(after.embedOrigins)],
    }),
  };
}

/** That a password was set, changed or removed; never which. */
function protectionDiff(before: ShareTerms, after: ShareTerms): Record<string, unknown> {
  if (before.passwordHash === after.passwordHash) return {};
  const was = before.passwordHash === null ? 'none' : 'password';
  const is =
    after.passwordHash === null ? 'none' : before.passwordHash === null ? 'password' : 'new password';
  return { protection: [was, is] };
}

function linkTo(token: string): ShareLink {
  return { share_token: token, public_url: `/share/${token}` };
}

function noLink(id: number): AppError {
  return new AppError('NOT_FOUND', `The dashboard "${id}" has no share link: make one first`);
}

/** What the token of a link is sealed for. */
export const shareTokenContext = (id: number) => `dashboard/${id}/share`;

/**
 * Dashboards by their share token. The link's row is read each time, so that a link that was revoked anywhere is dead at
 * once; the texts, which are large and the same for every version, are cached while there is room.
 */
class SharedDashboards {
  readonly #db: Db;
  readonly #known = new LRUCache<string, DashboardRow>({ max: DASHBOARDS_MAX, maxSize: CHARS_MAX });

  constructor(db: Db) {
    this.#db = db;
  }

  async byTokenHash(hash: string): Promise<DashboardRow | null> {
    const share = await selectShareByHash(this.#db, hash);
    if (share === null) return null;
    const known = this.#known.get(documentKey(share));
    if (known !== undefined) return isSameShare(known, share) ? known : { ...known, ...share };
    const row = await selectDashboardByShare(this.#db, hash);
    if (row !== null) this.#known.set(documentKey(row), row, { size: charsOf(row) });
    return row;
  }
}

/** Most often nothing has changed, and a row of many columns need not be copied for each request. */
function isSameShare(known: DashboardRow, share: ShareRow): boolean {
  return (
    known.share_token_hash === share.share_token_hash &&
    known.share_token_encrypted === share.share_token_encrypted &&
    known.share_expires_at === share.share_expires_at &&
    known.share_password_hash === share.share_password_hash &&
    known.share_embed_origins === share.share_embed_origins
  );
}

const charsOf = (row: DashboardRow) =>
  row.yaml_content.length + row.document_json.length + row.public_json.length;
