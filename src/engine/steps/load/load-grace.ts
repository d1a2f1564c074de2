/** How long a load that is given up may take to tidy its target. */
export const ABORT_GRACE_MS = 5_000;
/** How long a commit that has begun is waited for after the run was cancelled: its answer says what is true. */
export const COMMIT_GRACE_MS = 10_000;
