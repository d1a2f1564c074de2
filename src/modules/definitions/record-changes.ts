import { AppError, requireFound } from '../../base/errors.ts';
import { type ExpectedVersions, requireVersion } from '../../http/etag.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Store, Tx } from '../../store/store.ts';

type Lock<R> = (tx: Tx, dialect: Dialect, id: number) => Promise<R | null>;

/** How a change of an existing record begins. `noun` is the word for it in messages. */
export function recordChanges<R extends { readonly version: number }>(
  store: Store,
  noun: string,
  lock: Lock<R>,
) {
  /** The record, held until the transaction ends. `NOT_FOUND` where there is none. */
  async function locked(tx: Tx, id: number): Promise<R> {
    return requireFound(await lock(tx, store.dialect, id), noun, id);
  }

  /** Runs `work` in one transaction over the locked record. `PRECONDITION_FAILED` where it is not at the version `expected`. */
  async function change<T>(
    id: number,
    expected: ExpectedVersions,
    work: (tx: Tx, before: R) => Promise<T>,
  ): Promise<T> {
    return store.write(async (tx) => {
      const before = await locked(tx, id);
      requireVersion(expected, before.version);
      return work(tx, before);
    });
  }

  return { locked, change };
}

/** The `CONFLICT` of a name that another record has. */
export function nameTaken(noun: string, name: string): AppError {
  const article = /^[aeio]/i.test(noun) ? 'an' : 'a';
  return new AppError('CONFLICT', `There is ${article} ${noun} "${name}" already`);
}

const JOBS_NAMED_MAX = 20;

/** `"nightly" (3), "hourly" (4) and 12 more`: the jobs that block a change. */
export function nameJobs(jobs: readonly { readonly id: number; readonly name: string }[]): string {
  const named = jobs.slice(0, JOBS_NAMED_MAX).map((job) => `"${job.name}" (${job.id})`);
  const more = jobs.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
