import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useMay } from '../../frame/session/role.ts';
import { useApi } from '../../frame/state/api-context.ts';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

/** A source and a target. */
const endsOfPipeline = 2;

/** The way to a first job, on a server that has none: what is there already is ticked. */
export function FirstSteps(): ReactNode {
  const api = useApi();
  const id = useId();
  const { home } = useTexts();
  const mayEdit = useMay('editor');
  const mayConnect = useMay('admin');
  const { data } = useQuery({
    queryKey: ['first-steps'],
    enabled: mayEdit,
    queryFn: async ({ signal }) => {
      const init = { params: { query: { limit: 1 } }, signal };
      const [connectors, ...lists] = await Promise.all([
        api.GET('/api/connectors', { params: { query: { limit: endsOfPipeline } }, signal }),
        api.GET('/api/jobs', init),
        api.GET('/api/tasks', init),
        api.GET('/api/job-templates', init),
      ]);
      const [jobs, tasks, templates] = lists.map(({ result }) => result.length > 0);
      return { jobs, tasks, templates, connectors: connectors.result.length >= endsOfPipeline };
    },
  });
  if (!mayEdit || data === undefined || data.jobs) return null;
  const steps = [
    { ...home.steps.connectors, to: '/connectors/new', isDone: data.connectors, isMine: mayConnect },
    { ...home.steps.tasks, to: '/tasks/new', isDone: data.tasks, isMine: true },
    { ...home.steps.templates, to: '/templates/new', isDone: data.templates, isMine: true },
    { ...home.steps.jobs, to: '/jobs/new', isDone: false, isMine: true },
  ] as const;
  return (
    <section className="panel first-steps" aria-labelledby={id}>
      <h2 id={id}>{home.firstSteps}</h2>
      <p className="field-hint">{home.firstStepsHint}</p>
      <ol>
        {steps.map(({ to, title, text, isDone, isMine }) => (
          <li key={to} data-done={isDone || undefined}>
            <span className="first-step-mark">
              {isDone && (
                <>
                  <Icon name="check" />
                  <span className="visually-hidden">{home.stepDone}</span>
                </>
              )}
            </span>
            {isMine ? <Link to={to}>{title}</Link> : <span>{title}</span>}
            <p className="field-hint">{isMine ? text : home.byAdmins}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
