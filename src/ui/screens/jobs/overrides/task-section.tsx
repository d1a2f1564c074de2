import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { useMay } from '../../../frame/session/role.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { OverrideEditor } from './override-editor.tsx';

/** The tasks of a job, and for which of them it has a text of its own. */
export function TaskSection({ job }: { readonly job: components['schemas']['JobDetail'] }): ReactNode {
  const { jobs, run } = useTexts();
  const { overrides } = jobs;
  const may = useMay('editor');
  const [edited, setEdited] = useState<string | null>(null);
  return (
    <section className="panel" aria-labelledby="job-tasks">
      <h2 id="job-tasks">{run.tasks}</h2>
      <ul className="records">
        {Object.keys(job.dag?.tasks ?? {}).map((key) => (
          <li key={key}>
            <span className="record-name">{key}</span>
            {job.overridden_task_keys.includes(key) && (
              <span className="record-facts">{overrides.replaced}</span>
            )}
            {may && (
              <button
                type="button"
                className="text-button"
                aria-expanded={edited === key}
                aria-label={`${overrides.edit}: ${key}`}
                onClick={() => setEdited(edited === key ? null : key)}
              >
                {overrides.edit}
              </button>
            )}
          </li>
        ))}
      </ul>
      {edited !== null && <OverrideEditor key={edited} job={job} taskKey={edited} />}
    </section>
  );
}
