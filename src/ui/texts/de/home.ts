import type { home as english } from '../en/home.ts';

export const home: typeof english = {
  title: 'Start',
  running: 'Läuft gerade',
  nothingRuns: 'Zurzeit läuft nichts',
  job: 'Job',
  started: 'Begonnen',
};
