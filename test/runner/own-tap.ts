import { registerHooks } from 'node:module';
import type { Test } from 'tap';

const SCHEME = 'tap-of:';
const PLACE = 'headgate.test.tap';

/** Where the modules below find their test: with these hooks they have only the global object in common. */
const place = globalThis as { [PLACE]?: { readonly byUrl: Map<string, Test>; current: Test } };

/**
 * From now on the test file of this URL gets this test as tap's `t`, and so do helpers until the next file: what several files declare in one
 * process stays apart, as it does in processes of their own.
 */
export function giveOwnTap(url: string, t: Test): void {
  if (place[PLACE] === undefined) installHooks();
  place[PLACE] ??= { byUrl: new Map(), current: t };
  place[PLACE].byUrl.set(url, t);
  place[PLACE].current = t;
}

function installHooks(): void {
  const tests = new URL('../', import.meta.url).href;
  const runner = new URL('./worker-main.ts', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL ?? '';
      if (specifier !== 'tap' || !parent.startsWith(tests) || parent === runner)
        return next(specifier, context);
      return { url: `${SCHEME}${parent}`, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(SCHEME)) return next(url, context);
      return { format: 'module', source: tapOf(url.slice(SCHEME.length)), shortCircuit: true };
    },
  });
}

/** A test file is loaded once, for its own test; a helper stays loaded from one file to the next. */
function tapOf(url: string): string {
  if (url.endsWith('.test.ts'))
    return `export default globalThis['${PLACE}'].byUrl.get(${JSON.stringify(url)});`;
  return `const current = () => globalThis['${PLACE}'].current;
export default new Proxy({}, {
  get: (_, name) => typeof current()[name] === 'function' ? current()[name].bind(current()) : current()[name],
});`;
}
