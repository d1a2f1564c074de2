import { executionAsyncResource } from 'node:async_hooks';
import { registerHooks } from 'node:module';

type OnError = (error: unknown, origin: string) => void;

/** Of the tests that have begun and not ended, the innermost last. */
const open: Domain[] = [];

/**
 * Replaces `async-hook-domain`, with which tap finds the test of an error that nobody caught. That one follows every promise from its
 * creation to its collection, which costs a seventh of the processor time of all tests. Here the innermost test that has begun gets the
 * error: the tests of a process run one after another.
 */
export class Domain {
  readonly onerror: OnError;

  constructor(onerror: OnError) {
    this.onerror = onerror;
    const test = executionAsyncResource() as { runInAsyncScope?: (...given: unknown[]) => unknown };
    const run = test.runInAsyncScope;
    // Tap declares a test inside of its resource, and begins it there later.
    if (run === undefined) open.push(this);
    else
      test.runInAsyncScope = (...given) => {
        open.push(this);
        return run.apply(test, given);
      };
  }

  destroy(): void {
    for (let at = open.indexOf(this); at >= 0; at = open.indexOf(this)) open.splice(at, 1);
  }
}

/** From now on tap uses the domain above. Call it before tap is loaded. */
export function replaceDomain(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'async-hook-domain'
        ? { url: import.meta.url, format: 'module-typescript', shortCircuit: true }
        : next(specifier, context),
  });
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    const innermost = open.at(-1);
    const isHandled = process.listenerCount('uncaughtException') > 0;
    if (innermost === undefined || isHandled || process.hasUncaughtExceptionCaptureCallback()) return;
    innermost.onerror(error, origin);
    // Once: the error has its test, and must not end the process.
    process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null));
  });
}
