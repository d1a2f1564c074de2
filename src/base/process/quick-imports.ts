/**
 * For a checkout, and to be loaded before its other modules. Node looks for each module on the disk, follows links and reads manifests to
 * know where and of what kind it is, and then links it: more than half of the processor time of a start with 1,600 of them. One of this
 * code that another one names by its path is where it says, and TypeScript; packages of many files are bundles of one
 * (`.ci/bundle-dependencies.ts`). The published package is in bundles as a whole.
 */
import { registerHooks } from 'node:module';

// An import would make a module of its own of it, which takes longer (1.4 ms) than all that is done here.
const { readFileSync, statSync } = process.getBuiltinModule('node:fs');

const ROOT = new URL('../../../', import.meta.url);
const PACKAGES = new URL('node_modules/', ROOT);

/** The addresses of the bundles, by what imports name; none where something was installed since they were made. */
function bundledPackages(): ReadonlyMap<string, string> {
  const folder = new URL('.cache/headgate/', PACKAGES);
  try {
    const { installedMs, files } = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'));
    const { mtimeMs } = statSync(new URL('.package-lock.json', PACKAGES));
    if (installedMs !== mtimeMs) return new Map();
    return new Map(
      Object.entries<string>(files).map(([specifier, file]) => [specifier, `${folder.href}${file}`]),
    );
  } catch {
    // They were not made.
    return new Map();
  }
}

/** Whether a module is of this checkout: one of a package, or of somebody's own driver, gets the packages that it was installed with. */
function isOwn(url: string | undefined): boolean {
  return url?.startsWith(ROOT.href) === true && !url.startsWith(PACKAGES.href);
}

if (import.meta.url.endsWith('.ts')) {
  const bundled = bundledPackages();
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('.') && specifier.endsWith('.ts'))
        return {
          url: new URL(specifier, context.parentURL).href,
          format: 'module-typescript',
          shortCircuit: true,
        };
      const url = bundled.get(specifier);
      return url !== undefined && isOwn(context.parentURL)
        ? { url, format: 'module', shortCircuit: true }
        : next(specifier, context);
    },
    load: (url, context, next) =>
      context.format === 'module-typescript'
        ? { format: context.format, source: readFileSync(new URL(url)), shortCircuit: true }
        : next(url, context),
  });
}
