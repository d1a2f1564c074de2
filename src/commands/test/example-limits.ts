/** Longest time of one example, in seconds; below that of a preview, so that it is the thread's end and holds for any code. */
export const EXAMPLE_SECONDS_MAX = 10;
