import type { ApiProblem } from '../../api/api-error.ts';

/** Splits `settings.email`, `mapping[2].target_field` or `a["odd key"]` into its steps. */
export function readPath(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  for (const match of path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)) {
    const [, index, quoted, word] = match;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(quoted === undefined ? (word ?? '') : unquote(quoted));
  }
  return steps;
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** Problems by the place they belong to; those without a place have the key ''. */
export type PlacedProblems = ReadonlyMap<string, readonly string[]>;

/** Groups problems by place. `placeOf` maps a path to its place, or to null for the whole. */
export function placeProblems(
  problems: readonly ApiProblem[],
  placeOf: (path: readonly (string | number)[]) => string | null,
): PlacedProblems {
  const placed = new Map<string, string[]>();
  for (const { path, message } of problems) {
    const place = placeOf(readPath(path)) ?? '';
    const messages = placed.get(place);
    if (messages) messages.push(message);
    else placed.set(place, [message]);
  }
  return placed;
}

/** Removes the problems of a place. */
export function withoutPlace(problems: PlacedProblems, gone: string): PlacedProblems {
  return problems.has(gone) ? new Map([...problems].filter(([place]) => place !== gone)) : problems;
}
