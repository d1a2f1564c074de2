import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { byName } from '../../../frame/records/filter.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { DraftDashboard } from './draft-dashboard.tsx';

interface DraftOfTemplateProps {
  readonly text: string;
  readonly jobTemplateId: number;
}

/** What a dashboard template shows for one of the jobs of its job template. */
export function DraftOfTemplate({ text, jobTemplateId: job_template_id }: DraftOfTemplateProps): ReactNode {
  const api = useApi();
  const { dashboards } = useTexts();
  const [chosen, setChosen] = useState('');
  const { data } = useQuery({
    queryKey: ['jobs', 'of-template', job_template_id],
    queryFn: ({ signal }) =>
      api.GET('/api/jobs', { params: { query: { ...byName, status: 'active', job_template_id } }, signal }),
    select: ({ result }) => result,
  });
  if (data === undefined) return null;
  const job = data.find(({ id }) => String(id) === chosen) ?? data[0];
  return (
    <section className="stack" aria-labelledby="draft-dashboard">
      <h2 id="draft-dashboard">{dashboards.draft}</h2>
      {job === undefined ? (
        <p className="field-hint">{dashboards.noJobToDraw}</p>
      ) : (
        <>
          <div className="config-fields">
            <SelectField
              label={dashboards.drawnFor}
              value={String(job.id)}
              options={data.map(({ id, name }) => [String(id), name])}
              onChange={setChosen}
            />
          </div>
          <DraftDashboard text={text} job={job.id} />
        </>
      )}
    </section>
  );
}
