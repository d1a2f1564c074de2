import { countUnreadable, rotateSecrets } from '../../app/keys/key-rotation.ts';
import { masterKeysOf, openServerCipher } from '../../app/keys/server-keys.ts';
import { serverHeardMs, serverWithoutKey } from '../../app/keys/server-presence.ts';
import { createCipher } from '../../base/cipher.ts';
import { systemClock } from '../../base/clock.ts';
import type { Store } from '../../store/store.ts';
import { confirm, hasPerson } from '../kit/ask-person.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { withLocalStore } from '../kit/local-store.ts';
import { perform } from '../kit/perform.ts';
import { layOutTable } from '../kit/text/lay-out-table.ts';

const HEAD = ['table', 'column', 'rotated', 'already current', 'left', 'discarded'];
const TEXT_COLUMNS = 2;

export interface RotateKeysOptions {
  readonly json: boolean;
  /** Gives up the secrets that none of the keys in the settings reads. */
  readonly discardUnreadable: boolean;
  /** Gives them up without asking. */
  readonly yes: boolean;
}

/**
 * `headgate rotate-keys`: encrypts every stored secret with the current master key, so that older ones can be taken out of the
 * settings. Exit code 1 where a row is left that still needs an older one.
 */
export async function rotateKeys(options: RotateKeysOptions): Promise<number> {
  const { discardUnreadable } = options;
  return perform(options, (out) =>
    withLocalStore(async (store, config) => {
      if (discardUnreadable) await requireNoServer(store);
      if (discardUnreadable && !options.yes && (out.isJson || !hasPerson()))
        throw new CommandError(
          EXIT.usage,
          'This cannot be confirmed without a terminal: pass --yes, once you have a backup',
        );
      const cipher = discardUnreadable
        ? createCipher(masterKeysOf(config))
        : await openServerCipher(store, config, systemClock.now());
      await requireKnownKey({ store, cipher, clock: systemClock });
      if (discardUnreadable && !options.yes) {
        const unreadable = await countUnreadable({ store, cipher });
        const question = `${unreadable} record(s) will permanently lose secrets that no key here can decrypt. Continue?`;
        if (unreadable > 0 && !(await confirm(question))) {
          out.error('Nothing was changed.');
          return EXIT.failed;
        }
      }
      const columns = await rotateSecrets({ store, cipher, clock: systemClock, discardUnreadable });
      const left = columns.reduce((sum, column) => sum + column.left, 0);
      if (out.isJson) out.json({ ok: left === 0, columns });
      const rows = columns.map(({ table, column, ...counts }) => [
        table,
        column,
        ...[counts.rotated, counts.current, counts.left, counts.discarded].map(String),
      ]);
      for (const line of layOutTable([HEAD, ...rows], TEXT_COLUMNS)) out.line(line);
      const done =
        'All secrets are encrypted with the current key: SVC_PREVIOUS_ENCRYPTION_KEYS can be cleared.';
      out.line(left === 0 ? `\n${done}` : '\nSome rows changed in the meantime: run this again.');
      return left === 0 ? EXIT.ok : EXIT.failed;
    }),
  );
}

async function requireNoServer(store: Store): Promise<void> {
  const heardMs = await serverHeardMs(store.read, systemClock.now());
  if (heardMs === null) return;
  throw new CommandError(
    EXIT.failed,
    `A server is using this state store (last seen ${Math.round(heardMs / 1_000)} s ago): stop all servers before discarding secrets. A killed server counts for three minutes`,
  );
}

/** A server that does not know the key would read none of its secrets any more. */
async function requireKnownKey(deps: Parameters<typeof serverWithoutKey>[0]): Promise<void> {
  const ageMs = await serverWithoutKey(deps);
  if (ageMs === null) return;
  const seconds = Math.round(ageMs / 1_000);
  throw new CommandError(
    EXIT.failed,
    `A server on this state store does not have the new key (last seen ${seconds} s ago): set its SVC_ENCRYPTION_KEY to the new key and SVC_PREVIOUS_ENCRYPTION_KEYS to the old one, restart it, and run this again. A killed server counts for three minutes`,
  );
}
