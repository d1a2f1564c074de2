import type { ExpressionLimits } from './expression.ts';

/** The limits of an expression where the caller names none. */
export const expressionLimits: ExpressionLimits = Object.freeze({
  timeoutMs: 1_000,
  depthMax: 200,
  sequenceMax: 1_000_000,
  sourceMax: 16_384,
});

/** Deepest nesting of an expression's parse tree. Deeper ones are refused when parsed: every walk over the tree recurses. */
export const expressionNestingMax = 500;

/** Longest text that a regular expression of an expression is tried on, in characters. It bounds cost, not backtracking. */
export const regexSubjectMax = 100_000;

/** Deepest nesting of a value that holds `{{ }}` strings. */
export const templateDepthMax = 100;

/** Most places at which the end of one `{{ }}` is looked for. */
export const templateEndsMax = 32;
