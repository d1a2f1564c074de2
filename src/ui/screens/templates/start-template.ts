/** What a new definition begins with. */
export interface TemplateStart {
  readonly name: string;
  readonly text: string;
}

interface StartingTask {
  readonly name: string;
  readonly connectors: Readonly<Record<string, { readonly type: string }>>;
}

const example: StartingTask = {
  name: 'my_task',
  connectors: { source: { type: 'csv' }, target: { type: 'sqlite' } },
};

/** A job template that runs this task, with the connectors that it declares; null: with an example's. */
export function startTemplate(task: StartingTask | null): TemplateStart {
  const { name, connectors } = task ?? example;
  const lines = Object.entries(connectors).map(
    ([key, { type }]) => `  ${key}: { type: ${type}, required: true }`,
  );
  const declared = lines.length === 0 ? '' : `connectors:\n${lines.join('\n')}\n`;
  return {
    name: task?.name ?? '',
    text: `version: 1\nname: ${task?.name ?? 'my_job'}\n${declared}tasks:\n  load: { task: ${name} }\n`,
  };
}
