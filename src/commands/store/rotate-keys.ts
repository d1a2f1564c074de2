import { rotateSecrets } from '../../app/keys/key-rotation.ts';
import { openServerCipher } from '../../app/keys/server-keys.ts';
import { serverWithoutKey } from '../../app/keys/server-presence.ts';
import { systemClock } from '../../base/clock.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { layOutTable } from '../kit/lay-out-table.ts';
import { withLocalStore } from '../kit/local-store.ts';
import { perform } from '../kit/perform.ts';

const HEAD = ['table', 'column', 'rotated', 'current already', 'left'];
const TEXT_COLUMNS = 2;

/**
 * `headgate rotate-keys`: encrypts every stored secret with the current master key, so that older ones can be taken out of the
 * settings. Exit code 1 where a row is left that still needs an older one.
 */
export async function rotateKeys(options: { readonly json: boolean }): Promise<number> {
  return perform(options, (out) =>
    withLocalStore(async (store, config) => {
      const cipher = await openServerCipher(store, config, systemClock.now());
      await requireKnownKey({ store, cipher, clock: systemClock });
      const columns = await rotateSecrets({ store, cipher, clock: systemClock });
      const left = columns.reduce((sum, column) => sum + column.left, 0);
      if (out.isJson) out.json({ ok: left === 0, columns });
      const rows = columns.map(({ table, column, ...counts }) => [
        table,
        column,
        ...[counts.rotated, counts.current, counts.left].map(String),
      ]);
      for (const line of layOutTable([HEAD, ...rows], TEXT_COLUMNS)) out.line(line);
      const done =
        'Every secret is encrypted with the current key: SVC_PREVIOUS_ENCRYPTION_KEYS may be emptied.';
      out.line(left === 0 ? `\n${done}` : '\nSome rows were changed meanwhile: run this again.');
      return left === 0 ? EXIT.ok : EXIT.failed;
    }),
  );
}

/** A server that does not know the key would read none of its secrets any more. */
async function requireKnownKey(deps: Parameters<typeof serverWithoutKey>[0]): Promise<void> {
  const ageMs = await serverWithoutKey(deps);
  if (ageMs === null) return;
  const seconds = Math.round(ageMs / 1_000);
  throw new CommandError(
    EXIT.failed,
    `A server on this state store does not know the new key (heard from ${seconds} s ago): set SVC_ENCRYPTION_KEY to the new key and SVC_PREVIOUS_ENCRYPTION_KEYS to the old one there, restart it, and run this again. A server that was killed counts for three minutes`,
  );
}
