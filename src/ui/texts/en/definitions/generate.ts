/** A model that writes tasks, job templates and dashboards. */
export const generate = {
  title: 'Write with a model',
  notConfigured:
    'No model is configured on this server. An administrator can set one in Administration → Settings, under ai.',
  prompts: {
    task: 'What should the task do?',
    'job-template': 'What should a job of this template do?',
    dashboard: 'What should the dashboard show?',
  },
  change: 'What should be changed?',
  goesTo: {
    task: (model: string) =>
      `Goes to ${model}, with the names, tables and columns of the connectors chosen below.`,
    'job-template': (model: string) =>
      `Goes to ${model}, with the names, descriptions and connectors of the active tasks, and the text of those that you name.`,
    dashboard: (model: string) =>
      `Goes to ${model}, with the job template, and the names, tables and columns of the connectors chosen below.`,
  },
  hint: 'You see what would change before you take it; nothing is saved.',
  fromSaved: 'The model starts from the saved version.',
  start: 'Generate',
  asking: 'Asking the model…',
  phase: (name: string, attempt: number) => `${name} (attempt ${attempt})…`,
  phases: {
    generating: (attempt: number) => `The model is writing (attempt ${attempt})…`,
    validating: (attempt: number) => `Checking what it wrote (attempt ${attempt})…`,
    repairing: (attempt: number) => `The model is correcting its mistakes (attempt ${attempt})…`,
  },
  result: 'What the model would change',
  facts: (attempts: number, input: number, output: number) =>
    `${attempts === 1 ? '1 attempt' : `${attempts} attempts`} · ${input} tokens sent, ${output} received`,
  references: (names: string) => `References: ${names}`,
  same: 'The model would change nothing.',
  take: 'Use it in the editor',
  drop: 'Discard it',
};
