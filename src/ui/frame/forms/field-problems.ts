import { ApiError } from '../../../client/api-error.ts';

/** Why the server refused the field that the API names so, or a part of it. */
export function problemsAt(error: Error | null, path: string): readonly string[] {
  return detailsOf(error).flatMap((one) => (isAt(one.path, [path]) ? [one.message] : []));
}

/** Problems of a refusal that none of these fields shows. */
export function problemsElsewhere(error: Error | null, paths: readonly string[]): readonly string[] {
  return detailsOf(error).flatMap((one) => (isAt(one.path, paths) ? [] : [one.message]));
}

/** Whether there is a problem, and each is shown at one of these fields. */
export function areAllAt(error: Error | null, paths: readonly string[]): boolean {
  return detailsOf(error).length > 0 && problemsElsewhere(error, paths).length === 0;
}

function detailsOf(error: Error | null): ApiError['details'] {
  return error instanceof ApiError ? error.details : [];
}

function isAt(path: string, paths: readonly string[]): boolean {
  return paths.some((one) => path === one || path.startsWith(`${one}.`));
}
