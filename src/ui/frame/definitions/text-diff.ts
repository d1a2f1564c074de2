import { createPatch } from 'diff';

const headLines = 4;

/** A unified diff of two texts without its head; empty where they are the same. */
export function diffOf(before: string, after: string): string {
  const patch = createPatch('', before, after, undefined, undefined, { context: 2 });
  return patch.split('\n').slice(headLines).join('\n');
}
