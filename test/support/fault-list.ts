/** Why a test of the long list of faults does not run with the others. */
export const OF_FULL_LIST = 'npm run test:faults runs it';

/** Whether this is `npm run test:faults`: more seeds, places and cases, for as long as it takes. */
export const isFullList = process.env['HEADGATE_TEST_FAULTS'] === '1';

/** Whether the files or folders of this run were named. */
export const isNamed = process.env['HEADGATE_TEST_NAMED'] === '1';

/** Of a test's options: the long list of faults runs only when it is asked for. */
export const ofFullList: { readonly skip: string | false } = { skip: isFullList ? false : OF_FULL_LIST };

/** How many random cases to try: few with the other tests, all in the full list. */
export function fewOrAll(few: number, all: number): number {
  return isFullList ? all : few;
}

/** `HEADGATE_TEST_TIMES=4`: so many times as many random cases in the full list, as before a release. */
const times = Number(process.env['HEADGATE_TEST_TIMES'] ?? 1);

/**
 * Of how many cases of a list a run takes one, others at each run: `few` with the other tests, `many` in the full list. Its multiple takes so
 * many times as many cases, at most all.
 */
export function oneIn(few: number, many: number): number {
  return isFullList ? Math.max(1, Math.round(many / times)) : few;
}

/** How many cases to draw of a space that no list holds, anew each time: few with the other tests, `many` and their multiple in the full list. */
export function fewOrMany(few: number, many: number): number {
  return isFullList ? Math.ceil(many * times) : few;
}
