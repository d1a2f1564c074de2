import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type Plan, PlanView } from './plan-view.tsx';
import type { JobUpgradeItem } from './use-upgrades.ts';

interface UpgradeItemProps {
  readonly item: JobUpgradeItem;
  readonly isChosen: boolean;
  readonly isBusy: boolean;
  onToggle(): void;
}

/** One job of an upgrade of many: whether it is chosen, what changes, how far it is. */
export function UpgradeItem({ item, isChosen, isBusy, onToggle }: UpgradeItemProps): ReactNode {
  const { jobs } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const { id, name, phase, plan, error } = item;
  const canChoose = phase === 'planned';
  return (
    <li data-phase={phase}>
      <label className="check-line">
        <input
          type="checkbox"
          disabled={!canChoose || isBusy}
          checked={(canChoose && isChosen) || phase === 'upgrading' || phase === 'upgraded'}
          onChange={onToggle}
        />
        <span>
          {name} <span className="record-id">#{id}</span>
        </span>
      </label>
      <p className="record-facts">
        {jobs.many.phases[phase]}
        {plan?.changed && <> · {factsOf(plan, jobs)}</>} ·{' '}
        <Link to="/jobs/$id" params={{ id: String(id) }} search={{ view: 'upgrade' }}>
          {jobs.many.open}
        </Link>
      </p>
      {phase === 'blocked' &&
        plan?.problems.map(({ path, message }) => (
          <p key={`${path} ${message}`} className="record-error">
            {message}
          </p>
        ))}
      {error !== null && <FormProblem error={error} />}
      {plan?.changed && (
        <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>{jobs.many.changes}</summary>
          {isOpen && <PlanView plan={plan} />}
        </details>
      )}
    </li>
  );
}

/** What of a job changes, in one line. */
function factsOf(plan: Plan, { fromTo, many }: ReturnType<typeof useTexts>['jobs']): string {
  const { template, tasks, dashboards } = plan;
  const facts: string[] = [];
  if (template.from_version !== template.to_version)
    facts.push(`${many.parts.template} ${fromTo(template.from_version, template.to_version)}`);
  for (const { key, action, from_version, to_version } of tasks)
    if (action !== 'keep') facts.push(`${key} ${fromTo(from_version, to_version)}`);
  const drawn = dashboards.filter(({ action }) => action === 'add' || action === 'update').length;
  if (drawn > 0) facts.push(many.dashboards(drawn));
  const left = dashboards.filter(({ action }) => action === 'skip_modified').length;
  if (left > 0) facts.push(many.modified(left));
  return facts.length > 4 ? `${facts.slice(0, 4).join(' · ')} …` : facts.join(' · ');
}
