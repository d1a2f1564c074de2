import type { palette as english } from '../en/palette.ts';

export const palette: typeof english = {
  open: 'Gehe zu…',
  key: 'Strg K',
  title: 'Gehe zu',
  hint: 'Ein Bildschirm, eine Aktion, ein Name, ein Label oder die Nummer eines Laufs',
  nothing: 'Nichts heißt so',
  screen: 'Bildschirm',
  action: 'Aktion',
  record: 'Nach seiner Nummer',
  label: 'Nach seinem Label',
  labelled: (list, label) => `${list}: ${label}`,
  job: 'Job',
  dashboard: 'Dashboard',
  connector: 'Konnektor',
  template: 'Job-Template',
  task: 'Task',
  run: (id) => `Lauf ${id}`,
  jobRun: (id) => `Job-Lauf ${id}`,
};
