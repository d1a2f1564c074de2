/** The command palette: goes anywhere by a few letters of its name. */
export const palette = {
  open: 'Go to…',
  key: 'Ctrl K',
  title: 'Go to',
  hint: 'A screen, an action, a name, or a run’s number',
  nothing: 'No matches',
  screen: 'Screen',
  action: 'Action',
  record: 'By number',
  job: 'Job',
  dashboard: 'Dashboard',
  connector: 'Connector',
  template: 'Job template',
  task: 'Task',
  run: (id: number) => `Run ${id}`,
  jobRun: (id: number) => `Job run ${id}`,
};
