/**
 * For a checkout, and to be loaded before its other modules. Node looks for each module on the disk, follows links and reads manifests to
 * know where and of what kind it is: a quarter of the processor time of a start with hundreds of them. One of this code that another one
 * names by its path is where it says, and TypeScript. The published package is in bundles and has no such names.
 */
import { registerHooks } from 'node:module';

/** Zod brings its messages in sixty languages, each a module; its own entry takes the English ones. */
function inEnglish(specifier: string, parent: string | undefined): string {
  const isOfZod = specifier === '../locales/index.js' && parent?.includes('/node_modules/zod/') === true;
  return isOfZod ? '../locales/en.js' : specifier;
}

if (import.meta.url.endsWith('.ts')) {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('.') && specifier.endsWith('.ts')
        ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
        : next(inEnglish(specifier, context.parentURL), context),
  });
}
