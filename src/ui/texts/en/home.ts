/** The home page. */
export const home = {
  title: 'Home',
  running: 'Running now',
  nothingRuns: 'Nothing is running',
  job: 'Job',
  started: 'Started',
};
