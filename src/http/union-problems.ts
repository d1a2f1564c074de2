import { isRecord } from '../base/json.ts';

/** A problem of one alternative of a union. `path` is that within the value. */
interface Nested {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * What is wrong with a value that none of a schema's alternatives takes: the problems of the alternative that it comes nearest
 * to, which is the one of those that fail inside with the fewest; where all of them fail at once, what each asks for. `params` are zod's of the
 * issue; null where it is not one of a union.
 */
export function unionProblems(params: unknown): readonly Nested[] | null {
  const errors = isRecord(params) ? params['errors'] : undefined;
  if (!Array.isArray(errors) || errors.length === 0) return null;
  const alternatives = errors as readonly (readonly Nested[])[];
  const inside = alternatives.filter(
    (issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0),
  );
  if (inside.length > 0) return inside.reduce((best, one) => (one.length < best.length ? one : best));
  const messages = alternatives.flatMap((issues) => issues.slice(0, 1).map(({ message }) => message));
  return messages.length === 0 ? null : [{ path: [], message: [...new Set(messages)].join('; or: ') }];
}
