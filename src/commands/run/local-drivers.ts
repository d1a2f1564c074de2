import { messageOf } from '../../base/errors.ts';
import type { DriverFile } from '../../drivers/custom/driver-file.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { type ConnectorSources, DriversNeeded } from './connector-sources.ts';

/** Those of SVC_DRIVERS. Throws `CommandError` for settings that are not valid. */
export async function driversOfSettings(): Promise<readonly string[]> {
  const { requireConfig } = await import('../kit/require-config.ts');
  return requireConfig().drivers;
}

/**
 * The drivers of one's own that a local command may use: those of `--driver`, then those of SVC_DRIVERS. Throws `CommandError` for
 * settings that are not valid and drivers that cannot be used, and `DriversNeeded`.
 */
export async function localDrivers({
  drivers: given = [],
  driversOfSettings: known,
}: Pick<ConnectorSources, 'drivers' | 'driversOfSettings'>): Promise<readonly DriverFile[]> {
  if (known === null) throw new DriversNeeded();
  const { driverFilesOf } = await import('../../app/own-files.ts');
  const drivers = [...new Set([...given, ...(known ?? (await driversOfSettings()))])];
  return driverFilesOf({ drivers }).catch((error: unknown) => {
    throw new CommandError(EXIT.config, messageOf(error));
  });
}
