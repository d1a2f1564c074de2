/** A realistic mistake in one line, and the tests that must notice it. */
export interface Mutant {
  /** File of the checkout. */
  readonly file: string;
  /** Text that stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Test files that notice it, the quickest first. */
  readonly tests: readonly string[];
  /** Whether only what `npm run test:faults` adds to these files notices it. */
  readonly faults?: boolean;
  /** What a user would suffer. */
  readonly harm: string;
  /** Why no test can notice it, where none can. */
  readonly argued?: string;
}

/** The mutated text, or why it cannot be made. */
export function mutate(text: string, { file, from, to }: Mutant): string {
  const parts = text.split(from);
  if (parts.length !== 2)
    throw new Error(`"${from}" stands in ${file} ${parts.length - 1} times, and must stand there once`);
  return parts.join(to);
}
