/** From `run.ts` to a process that runs test files. */
export type ToWorker = { readonly kind: 'run'; readonly file: string } | { readonly kind: 'end' };

export type FromWorker =
  | { readonly kind: 'ready' }
  /** Sent again and again: a process that stops has a file that holds its event loop. */
  | { readonly kind: 'alive' }
  | {
      readonly kind: 'done';
      readonly file: string;
      /** Of the process and of the processes that it started and that have ended. */
      readonly cpuMs: number;
      /** The process ends: it takes no other file. */
      readonly isLast: boolean;
    };
