import { setImmediate as nextTurn } from 'node:timers/promises';
import { diffCharsMax, textDiff } from './text-diff.ts';

/** Of all diffs of one answer together: what is above is cut, and what would take longer is shown as replaced. */
const CHARS_MAX = 5_000_000;
const COMPARE_MS = 1_000;
const COMPARE_EACH_MS = 100;

/**
 * The diffs of one answer, whose size and time are bounded together. Equal pairs of texts of the same names share their diff. Other requests get their
 * turn between two of them. `what` is what the answer is of, as in `push`.
 */
export function createDiffBudget(what: string) {
  const known = new Map<string, Map<string, string>>();
  let charsLeft = CHARS_MAX;
  let msLeft = COMPARE_MS;

  /** From `before` to `after`, called `from` and `to`; empty for equal texts. */
  async function of(
    before: string,
    after: string,
    names: { readonly from: string; readonly to: string },
  ): Promise<string> {
    const befores = known.get(after) ?? new Map<string, string>();
    known.set(after, befores);
    const key = `${names.from}\n${names.to}\n${before}`;
    const diff = befores.get(key) ?? (await compare(before, after, names));
    befores.set(key, diff);
    const kept =
      diff.length <= charsLeft ? diff : `\\ The diff was left out: the diffs of this ${what} are too long\n`;
    charsLeft -= Math.min(diff.length, charsLeft);
    return kept;
  }

  async function compare(
    before: string,
    after: string,
    names: { readonly from: string; readonly to: string },
  ): Promise<string> {
    await nextTurn();
    const started = performance.now();
    const diff = textDiff(before, after, {
      ...names,
      charsMax: Math.min(charsLeft, diffCharsMax),
      timeoutMs: Math.min(msLeft, COMPARE_EACH_MS),
    });
    msLeft -= performance.now() - started;
    return diff;
  }

  return { of };
}

export type DiffBudget = ReturnType<typeof createDiffBudget>;
