import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { EnvironmentProblem } from './script-environment.ts';

interface LockedPackage {
  readonly version?: unknown;
  readonly integrity?: unknown;
}

/**
 * The folder whose `node_modules` a JavaScript step imports from, once it is what the step's lock says: the digest of its
 * package-lock.json, which npm must have installed. Throws an `EnvironmentProblem`.
 */
export async function folderOfPackages(
  name: string,
  lock: string,
  folders: Readonly<Record<string, string>> = {},
): Promise<string> {
  const given = Object.hasOwn(folders, name) ? folders[name] : undefined;
  if (given === undefined)
    throw new EnvironmentProblem(
      `No packages "${name}" are configured for scripts here: see SVC_SCRIPT_PACKAGES`,
    );
  const [folder, text, installedText] = await Promise.all([
    realpath(given),
    readFile(join(given, 'package-lock.json')),
    readFile(join(given, 'node_modules', '.package-lock.json'), 'utf8'),
  ]).catch(() => {
    throw new EnvironmentProblem(
      `The packages "${name}" have no package-lock.json or are not installed: run npm ci in their folder`,
    );
  });
  if (digestOf(text) !== lock.trim())
    throw new EnvironmentProblem(
      `The package-lock.json of the packages "${name}" differs from the one the step was saved with: restore it, or save the task with "lock: ${digestOf(text)}"`,
    );
  const wrong = differingPackage(packagesIn(text.toString()), packagesIn(installedText));
  if (wrong !== null)
    throw new EnvironmentProblem(
      `The package "${wrong}" of "${name}" does not match package-lock.json: run npm ci in their folder`,
    );
  return folder;
}

/** As the `lock` of a step holds it. */
export function digestOf(packageLock: Uint8Array): string {
  return `sha256:${createHash('sha256').update(packageLock).digest('hex')}`;
}

function packagesIn(text: string): Readonly<Record<string, LockedPackage>> {
  try {
    const { packages } = JSON.parse(text) as { readonly packages?: unknown };
    return isRecord(packages) ? (packages as Record<string, LockedPackage>) : {};
  } catch {
    return {};
  }
}

/** The first package that is installed otherwise than it is locked. What is locked need not be installed: it may be for other systems. */
function differingPackage(
  locked: Readonly<Record<string, LockedPackage>>,
  installed: Readonly<Record<string, LockedPackage>>,
): string | null {
  for (const [path, { version, integrity }] of Object.entries(installed)) {
    const known = locked[path];
    if (known?.version !== version || known?.integrity !== integrity)
      return path.replace(/^.*node_modules\//, '');
  }
  return null;
}
