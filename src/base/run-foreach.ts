/** What a run runs its task for: once for each item of a list. */
export interface RunForeach {
  /** A bare expression that gives the list; the executor evaluates it. */
  readonly items_expr: string;
  /** Items at once, from 1. */
  readonly concurrency: number;
}
