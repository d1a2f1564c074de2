import type { Cipher } from '../../base/cipher.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { randomHex } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { deleteSecretsOf, replaceSecret, selectSecretsOf } from '../../modules/auth/auth-store.ts';
import type { Db, Store } from '../../store/store.ts';

/** Names of the rows in which running servers say which master keys they know; their value is no secret. */
const PREFIX = 'server:';
const EVERY_MS = 60_000;
/** A server that was silent for this long is gone. */
const ABSENT_MS = 150_000;

export interface PresenceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cipher: Pick<Cipher, 'keyIds'>;
}

/**
 * Says in the store, every minute until it is stopped, that this server is there and which master keys it knows: a rotation to a key
 * that it does not know would leave it unable to read its secrets.
 */
export async function startPresence({ store, clock, logger, cipher }: PresenceDeps) {
  const name = `${PREFIX}${randomHex(8)}`;
  const value = cipher.keyIds.join(',');
  const told = () =>
    store.write(async (tx) => {
      await deleteSecretsOf(tx, PREFIX, clock.now() - ABSENT_MS);
      await replaceSecret(tx, name, value, clock.now());
    });
  await told();
  const stop = new AbortController();
  const done = (async () => {
    for (;;) {
      await sleep(EVERY_MS, stop.signal);
      if (stop.signal.aborted) return;
      await told().catch((error: unknown) => {
        logger.warn({ err: error }, 'this server could not say that it is there');
      });
    }
  })();
  return {
    async stop(): Promise<void> {
      stop.abort();
      await done;
      await store.write((tx) => deleteSecretsOf(tx, name, null)).catch(() => undefined);
    },
  };
}

/** How long ago the store last heard from a server; null where none is running. One that was killed counts for a while. */
export async function serverHeardMs(db: Db, now: number): Promise<number | null> {
  const ages = (await selectSecretsOf(db, PREFIX)).map((server) => now - server.created_at);
  const present = ages.filter((ageMs) => ageMs < ABSENT_MS);
  return present.length === 0 ? null : Math.min(...present);
}

/** How long ago a server was heard from that does not know the current key; null where every running one does. */
export async function serverWithoutKey({
  store,
  clock,
  cipher,
}: Omit<PresenceDeps, 'logger'>): Promise<number | null> {
  const current = cipher.keyIds[0] ?? '';
  const servers = await selectSecretsOf(store.read, PREFIX);
  const ages = servers
    .filter(({ value }) => !value.split(',').includes(current))
    .map((server) => clock.now() - server.created_at)
    .filter((ageMs) => ageMs < ABSENT_MS);
  return ages.length === 0 ? null : Math.min(...ages);
}
