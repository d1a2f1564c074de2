import { type Clock, sleep } from '../../../base/clock.ts';
import { AppError, notFound } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { fingerprintOf } from '../../../protocol/executor-key.ts';
import { createKeyProof, type ProveKey } from '../../../protocol/key-proof.ts';
import type { Store } from '../../../store/store.ts';
import type { Actor } from '../../audit/audit.ts';
import { insertAudit } from '../../audit/audit-store.ts';
import {
  type ExecutorKeyRecord,
  KEY_SETTING_NAMES,
  KEY_SETTINGS,
  type KeySetting,
  toExecutorKey,
} from './executor-key.ts';
import {
  insertExecutorKeys,
  lockExecutorKeys,
  revokeExecutorKey,
  selectExecutorKeys,
  selectRevokedKeys,
  selectRevokedOf,
  touchExecutorKey,
} from './executor-key-store.ts';

const CHANNEL = 'executor-keys';
const TOUCH_EVERY_MS = 60_000;
const POLL_MS = 3_000;
const LISTED_MAX = 500;
/** Revoked keys with an error of their own; older ones count as invalid keys. */
const TOLD_MAX = 1_000;

export interface ExecutorKeyRegistryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The keys in this server's settings. */
  readonly configured: Readonly<Record<KeySetting, string | null>>;
  /** The longest delay of a revocation with a lost notification; default 3 s. */
  readonly pollMs?: number;
}

interface ConfiguredKey {
  readonly key: string;
  readonly fingerprint: string;
  readonly setting: KeySetting;
}

/**
 * The executor keys that are valid here: those in the settings that are not revoked. Revocations are permanent, in the store,
 * and every server on it applies them within seconds. States: new (nothing is valid), started (follows the store), stopped
 * (final).
 */
export class ExecutorKeyRegistry {
  readonly #deps: ExecutorKeyRegistryDeps;
  readonly #configured: readonly ConfiguredKey[];
  readonly #listeners = new Set<() => void>();
  readonly #touchedAt = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #prove: ProveKey;
  #valid: readonly string[] = [];
  #revoked: ReadonlySet<string> = new Set();
  #changed = new AbortController();
  #unlisten: () => void = () => undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(deps: ExecutorKeyRegistryDeps) {
    this.#deps = deps;
    this.#configured = configuredKeys(deps.configured);
    this.#prove = createKeyProof({ keys: this.keys, isRevokedKey: this.isRevokedKey });
  }

  /** The keys that are valid now. */
  readonly keys = (): readonly string[] => this.#valid;

  readonly isRevokedKey = (fingerprint: string): boolean => this.#revoked.has(fingerprint);

  /** The fingerprint of a valid key, which counts as used; null for any other. `AUTH_ERROR` for a revoked one. */
  readonly prove: ProveKey = (presented) => {
    const fingerprint = this.#prove(presented);
    if (fingerprint !== null) this.used(fingerprint);
    return fingerprint;
  };

  /** Records the use of a key, to the minute, so that calls do not become writes. */
  readonly used = (fingerprint: string): void => {
    const { store, clock, logger } = this.#deps;
    const now = clock.now();
    if (!this.#configured.some((key) => key.fingerprint === fingerprint)) return;
    if (now - (this.#touchedAt.get(fingerprint) ?? 0) < TOUCH_EVERY_MS) return;
    this.#touchedAt.set(fingerprint, now);
    store
      .write((tx) => touchExecutorKey(tx, fingerprint, now))
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'the use of an executor key could not be recorded');
      });
  };

  /** Stores the configured keys. `PRECONDITION_FAILED` if one of them is revoked: it names the setting and the fingerprint. */
  async start(): Promise<void> {
    const { store, clock } = this.#deps;
    const fingerprints = this.#configured.map((key) => key.fingerprint);
    await store.write((tx) => insertExecutorKeys(tx, fingerprints, clock.now()));
    const revoked = await selectRevokedOf(store.read, fingerprints);
    const wrong = this.#configured.find((key) => revoked.includes(key.fingerprint));
    if (wrong !== undefined) {
      throw new AppError(
        'PRECONDITION_FAILED',
        `${KEY_SETTING_NAMES[wrong.setting]} holds the key "${wrong.fingerprint}", which is revoked for good: set another one`,
      );
    }
    this.#unlisten = store.listen(CHANNEL, () => this.#changed.abort());
    await this.#refresh();
    this.#done = this.#follow();
  }

  async stop(): Promise<void> {
    this.#unlisten();
    this.#stop.abort();
    await this.#done;
  }

  /** Calls `listener` after the valid keys have changed; returns the unsubscribe. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Every key that any server on this store was ever started with, at most 500, newest first. */
  async list(): Promise<ExecutorKeyRecord[]> {
    const rows = await selectExecutorKeys(this.#deps.store.read, LISTED_MAX);
    return rows.map((row) => toExecutorKey(row, this.#settingOf(row.fingerprint)));
  }

  /**
   * Permanently revokes a key on every server; a revoked one stays revoked. `NOT_FOUND`, or `CONFLICT` if executors of this
   * server would be left without a valid key.
   */
  async revoke(fingerprint: string, actor: Actor): Promise<ExecutorKeyRecord> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const asked = [...new Set([fingerprint, ...this.#configured.map((key) => key.fingerprint)])];
    const row = await store.write(async (tx) => {
      const rows = await lockExecutorKeys(tx, store.dialect, asked);
      const found = rows.find((candidate) => candidate.fingerprint === fingerprint);
      if (found === undefined) throw notFound('executor key', fingerprint);
      if (found.revoked_at !== null) return found;
      const others = rows.filter((other) => other !== found && other.revoked_at === null);
      if (this.#settingOf(fingerprint) !== null && others.length === 0) throw lastKeyError(fingerprint);
      await revokeExecutorKey(tx, fingerprint, actor.name, now);
      const entry = { action: 'executor_key.revoke', resourceType: 'executor_key', resourceId: fingerprint };
      await insertAudit(tx, actor, entry, now);
      return { ...found, revoked_at: now, revoked_by: actor.name };
    });
    store.notify(CHANNEL);
    await this.#refreshSafely();
    return toExecutorKey(row, this.#settingOf(fingerprint));
  }

  #settingOf(fingerprint: string): KeySetting | null {
    return this.#configured.find((key) => key.fingerprint === fingerprint)?.setting ?? null;
  }

  /** While the store is unavailable, the last answer is used. */
  async #follow(): Promise<void> {
    const { pollMs = POLL_MS } = this.#deps;
    while (!this.#stop.signal.aborted) {
      await sleep(pollMs, AbortSignal.any([this.#stop.signal, this.#changed.signal]));
      if (this.#stop.signal.aborted) return;
      this.#changed = new AbortController();
      await this.#refreshSafely();
    }
  }

  #refreshSafely(): Promise<void> {
    return this.#refresh().catch((error: unknown) => {
      this.#deps.logger.warn({ err: error }, 'revoked executor keys could not be read; retrying');
    });
  }

  async #refresh(): Promise<void> {
    const { read } = this.#deps.store;
    const fingerprints = this.#configured.map((key) => key.fingerprint);
    const told = await selectRevokedKeys(read, TOLD_MAX);
    const own = await selectRevokedOf(read, fingerprints);
    // A key once seen as revoked stays so, however late this answer comes.
    const revoked = new Set([...this.#revoked, ...told, ...own]);
    const valid = this.#configured.filter((key) => !revoked.has(key.fingerprint)).map(({ key }) => key);
    const isChanged = valid.length !== this.#valid.length;
    this.#revoked = revoked;
    this.#valid = valid;
    if (isChanged) for (const listener of this.#listeners) listener();
  }
}

function configuredKeys(settings: ExecutorKeyRegistryDeps['configured']): ConfiguredKey[] {
  const keys: ConfiguredKey[] = [];
  for (const setting of KEY_SETTINGS) {
    const key = settings[setting];
    if (key === null || keys.some((other) => other.key === key)) continue;
    keys.push({ key, fingerprint: fingerprintOf(key), setting });
  }
  return keys;
}

function lastKeyError(fingerprint: string): AppError {
  return new AppError(
    'CONFLICT',
    `"${fingerprint}" is the last valid executor key of this server: set SVC_EXECUTOR_KEY to a new key and ` +
      'SVC_EXECUTOR_PREVIOUS_KEY to this one, restart, give the executors the new key, and revoke this one then',
  );
}
