/** Going anywhere by some letters of its name. */
export const palette = {
  open: 'Go to…',
  key: 'Ctrl K',
  title: 'Go to',
  hint: 'A screen, an action, a name or the number of a run',
  nothing: 'Nothing has this name',
  screen: 'Screen',
  action: 'Action',
  record: 'By its number',
  job: 'Job',
  connector: 'Connector',
  template: 'Job template',
  task: 'Task',
  run: (id: number) => `Run ${id}`,
  jobRun: (id: number) => `Job run ${id}`,
};
