import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { AppError, messageOf } from '../../base/errors.ts';
import { AbsentResourceError, ConnectorError, type Driver } from '../driver.ts';
import { isConnectorType } from '../driver-loaders.ts';
import { pageRows } from '../files/page-rows.ts';
import { parseInput } from '../files/parse-input.ts';
import type { DriverFile } from './driver-file.ts';
import { driverProblem } from './driver-problem.ts';
import { guardedConnection } from './guarded-connection.ts';
import type { DriverKit, DriverModule } from './interface.ts';

export const DRIVER_INTERFACE_VERSION = 1;

const KIT: DriverKit = { z, ConnectorError, AbsentResourceError, parseInput, pageRows };

/**
 * The drivers that the setting names, each loaded once to see that it can be. `names`: paths, which begin with `.` or `/`, or packages,
 * sought from `folder` upwards. Throws `NOT_READY` for the first that is not usable or has the type of another.
 */
export async function findDriverFiles(names: readonly string[], folder: string): Promise<DriverFile[]> {
  const found: (DriverFile & { readonly name: string })[] = [];
  for (const name of names) {
    const path = driverPath(name, folder);
    const { type } = (await openDriverModule(name, path)).driver;
    if (isConnectorType(type))
      throw refusal(name, `has the type "${type}", which a connector of this program has: give it another`);
    const taken = found.find((other) => other.type === type);
    if (taken !== undefined)
      throw refusal(name, `has the type "${type}", as "${taken.name}" has: give it another`);
    found.push({ name, type, path });
  }
  return found.map(({ type, path }) => ({ type, path }));
}

/** One that was found before. Throws as `findDriverFiles` does. */
export async function loadDriverFile({ path }: DriverFile): Promise<Driver> {
  return (await openDriverModule(path, path)).driver;
}

/** Absolute. Throws `NOT_READY` for a package that is not installed. */
export function driverPath(name: string, folder: string): string {
  if (/^[./]/.test(name)) return resolve(folder, name);
  try {
    return createRequire(join(folder, 'package.json')).resolve(name);
  } catch {
    throw refusal(
      name,
      'is no package that is installed here; the path of a file must begin with "./" or "/"',
    );
  }
}

export interface OpenDriverModule {
  readonly driver: Driver;
  readonly module: DriverModule;
}

/** Runs the module's code. Throws `NOT_READY` where it is no driver of this version of the interface. */
export async function openDriverModule(name: string, path: string): Promise<OpenDriverModule> {
  const module = await defaultExport(name, path);
  const version = (module as Partial<DriverModule> | null | undefined)?.interfaceVersion as unknown;
  if (version !== DRIVER_INTERFACE_VERSION)
    throw refusal(
      name,
      version === undefined
        ? 'has no default export with an "interfaceVersion": see the page of drivers of one’s own'
        : `is made for version ${JSON.stringify(version)} of the driver interface; this program has version ${DRIVER_INTERFACE_VERSION}`,
    );
  const made = await created(name, module as DriverModule);
  const problem = driverProblem(made);
  if (problem !== null) throw refusal(name, problem);
  const driver = made as Driver;
  return { module: module as DriverModule, driver: guarded(driver) };
}

async function defaultExport(name: string, path: string): Promise<unknown> {
  if (!existsSync(path)) throw refusal(name, 'does not exist');
  try {
    const { default: given } = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    return given;
  } catch (error) {
    throw refusal(name, `cannot be loaded: ${messageOf(error)}`);
  }
}

async function created(name: string, module: DriverModule): Promise<unknown> {
  try {
    return await module.create(KIT);
  } catch (error) {
    throw refusal(name, `cannot be created: ${messageOf(error)}`);
  }
}

function refusal(name: string, problem: string): AppError {
  return new AppError('NOT_READY', `The driver "${name}" ${problem} (SVC_DRIVERS or --driver)`);
}

/** With what the interface promises of the context, and with errors of the two kinds that the engine knows. */
function guarded(driver: Driver): Driver {
  return {
    ...driver,
    connect: async (config, { fileRoots, forbiddenFiles, connectTimeoutMs }) =>
      guardedConnection(driver, config, { fileRoots, forbiddenFiles, connectTimeoutMs }),
  };
}
