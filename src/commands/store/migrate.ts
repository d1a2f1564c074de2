import { stateSettingsOf } from '../../app/state-settings.ts';
import { silentLogger } from '../../base/logger.ts';
import { migrationStatus } from '../../store/migration-status.ts';
import { openStore, type StateSettings } from '../../store/open-store.ts';
import { StoreOpenError } from '../../store/store-open-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { perform } from '../kit/perform.ts';
import { requireConfig } from '../kit/require-config.ts';

export interface MigrateOptions {
  /** Only tell what is pending. */
  readonly check: boolean;
  readonly json: boolean;
}

/**
 * `headgate migrate`: brings the state store of the settings to this version's schema, as a start of the server would. With `check`
 * nothing is changed, and the exit code is 1 where something is pending.
 */
export async function migrate(options: MigrateOptions): Promise<number> {
  return perform(options, async (out) => {
    const settings = stateSettingsOf(requireConfig());
    const { applied, pending } = await statusOf(settings);
    if (!options.check) await (await openStore(settings, silentLogger)).close();
    const done = options.check ? [] : pending;
    const left = options.check ? pending : [];
    if (out.isJson) out.json({ applied: [...applied, ...done], ran: done, pending: left });
    for (const name of done) out.line(`ran      ${name}`);
    for (const name of left) out.line(`pending  ${name}`);
    if (pending.length === 0) out.line(`The schema is up to date (${applied.length} migrations).`);
    return left.length > 0 ? EXIT.failed : EXIT.ok;
  });
}

async function statusOf(settings: StateSettings) {
  try {
    return await migrationStatus(settings);
  } catch (cause) {
    throw new StoreOpenError(settings, cause);
  }
}
