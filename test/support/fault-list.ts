/** Why a test of the long list of faults does not run with the others. */
export const OF_FULL_LIST = 'npm run test:faults runs it';

/** Of a test's options: the long list of faults runs only when it is asked for. */
export const ofFullList = { skip: process.env['HEADGATE_TEST_FAULTS'] === '1' ? false : OF_FULL_LIST };
