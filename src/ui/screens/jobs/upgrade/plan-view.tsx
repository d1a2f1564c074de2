import type { ReactNode } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { DiffText } from '../../../frame/records/diff-text.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';

export type Plan = components['schemas']['JobUpgrade'];

/** What an upgrade of one job changes, and what blocks it. */
export function PlanView({ plan }: { readonly plan: Plan }): ReactNode {
  const { jobs, runs, connectors } = useTexts();
  const { template, tasks, dashboards, problems } = plan;
  return (
    <div className="plan">
      {problems.length > 0 && (
        <div className="failure-note">
          <h3>{jobs.blocks}</h3>
          <ul>
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      {template.diff !== '' && (
        <Change
          title={`${runs.template}: ${jobs.fromTo(template.from_version, template.to_version)}`}
          diff={template.diff}
        />
      )}
      {tasks
        .filter(({ action }) => action !== 'keep')
        .map(({ key, action, from_version, to_version, diff }) => (
          <Change
            key={key}
            title={`${runs.task} ${key}: ${wordOf(jobs.actions, action)} ${jobs.fromTo(from_version, to_version)}`}
            diff={diff}
          />
        ))}
      {dashboards
        .filter(({ action }) => action !== 'unchanged')
        .map(({ dashboard_template_id, name, action, diff }) => (
          <Change
            key={dashboard_template_id}
            title={`${jobs.dashboard} ${name}: ${wordOf(jobs.actions, action)}`}
            diff={diff}
          />
        ))}
      {plan.connectors.map(({ name, action, type }) => (
        <Change
          key={name}
          title={`${connectors.title} ${name}: ${wordOf(jobs.actions, action)} (${type})`}
          diff=""
        />
      ))}
      {plan.config.map(({ key, action }) => (
        <Change key={key} title={`${jobs.views.config} ${key}: ${wordOf(jobs.actions, action)}`} diff="" />
      ))}
    </div>
  );
}

function Change({ title, diff }: { readonly title: string; readonly diff: string }): ReactNode {
  return (
    <div>
      <h3>{title}</h3>
      {diff !== '' && <DiffText label={title} diff={diff} />}
    </div>
  );
}
