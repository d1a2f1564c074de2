import { type ReactNode, useState } from 'react';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useTriggers } from '../job/job-overview.tsx';
import { BackfillForm } from './backfill-form.tsx';
import { BackfillList } from './backfill-list.tsx';

/** Runs past times of a trigger: a plan to look at, its start, and how those before went. */
export function BackfillSection({ jobId }: { readonly jobId: number }): ReactNode {
  const { jobs, runs } = useTexts();
  const may = useMay('operator');
  const triggers = useTriggers(jobId).data ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const trigger = triggers.find(({ id }) => String(id) === chosen) ?? triggers[0];
  if (trigger === undefined) return null;
  return (
    <section className="panel stack" aria-labelledby="job-backfills">
      <div>
        <h2 id="job-backfills">{jobs.backfill.title}</h2>
        <p className="field-hint">{jobs.backfill.hint}</p>
      </div>
      {triggers.length > 1 && (
        <SelectField
          label={runs.trigger}
          options={triggers.map(({ id, name }) => [String(id), name] as const)}
          value={String(trigger.id)}
          onChange={setChosen}
        />
      )}
      {may && <BackfillForm key={trigger.id} trigger={trigger} />}
      <BackfillList trigger={trigger} may={may} />
    </section>
  );
}
