import { BUNDLE_LIMITS } from '../../../language/bundle/bundle.ts';

/** Names that are tried: `copy-2` to `copy-20`. */
const NUMBER_MAX = 20;

/** Alternatives for a name that is taken. */
export function namesInstead(name: string): string[] {
  return Array.from({ length: NUMBER_MAX - 1 }, (_, index) => {
    const suffix = `-${index + 2}`;
    return `${name.slice(0, BUNDLE_LIMITS.nameCharsMax - suffix.length).toWellFormed()}${suffix}`;
  });
}

/** The first free one, which is taken from then on. */
export function takeFreeName(name: string, taken: Set<string>): { name: string } | { problem: string } {
  const free = namesInstead(name).find((candidate) => !taken.has(candidate));
  if (free === undefined)
    return { problem: `"${name}" and its names up to "${name}-${NUMBER_MAX}" are taken` };
  taken.add(free);
  return { name: free };
}
