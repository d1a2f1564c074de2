import type { SyntaxNode } from '../syntax-tree.ts';
import type { Meter } from './meter.ts';

/** One compiled node: its value for a context value (`input`) and the whole scope (`root`). */
export type Evaluator = (input: unknown, root: unknown) => unknown;

/**
 * What the compilers of one expression share. `slots` holds the values of its variables while it runs: evaluation is synchronous
 * and an expression never calls itself, so one set serves all calls. `variables` says which slot a name means at this place.
 */
export interface Compiler {
  readonly meter: Meter;
  /** For values of rows: what whole numbers make beyond 2^53 is exact. */
  readonly isForRows: boolean;
  readonly slots: unknown[];
  readonly variables: ReadonlyMap<string, number>;
  compile(node: SyntaxNode): Evaluator;
  /** The same compiler where more variables are in scope. */
  withVariables(variables: ReadonlyMap<string, number>): Compiler;
  /** Notes that `[]` keeps single results as arrays somewhere, or that a path has a step that is no name: not both are known. */
  note(trait: 'keeps-arrays' | 'complex-step'): void;
}

/** Thrown while compiling where a construct is not exactly known; the expression is then interpreted. Never seen outside. */
export class NotCompilable extends Error {}

export function giveUp(what: string): never {
  throw new NotCompilable(what);
}
