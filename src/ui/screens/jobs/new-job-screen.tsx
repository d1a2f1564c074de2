import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { FormProblem } from '../../frame/forms/form-problem.tsx';
import { nameCharsMax, TextField } from '../../frame/forms/text-field.tsx';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { TemplateFilter } from '../../frame/records/filter.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { ConnectorChoice } from './parts/connector-choices.tsx';

const route = getRouteApi('/signed-in/jobs/new');

/** A job from a template: its name and its connectors. Configuration, schedule and a summary follow on its page. */
export function NewJobScreen(): ReactNode {
  const api = useApi();
  const { jobs } = useTexts();
  const { template: id } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    queryKey: ['job-template', id],
    queryFn: ({ signal }) =>
      api.GET('/api/job-templates/{id}', { params: { path: { id: id ?? 0 } }, signal }),
    enabled: id !== undefined,
  });
  return (
    <Screen
      title={jobs.new}
      above={
        <p className="screen-above">
          <Link to="/jobs">{jobs.title}</Link>
        </p>
      }
    >
      <section className="panel" aria-label={jobs.new}>
        <div className="filters">
          <TemplateFilter
            any={jobs.choose}
            value={id}
            onChange={(chosen) =>
              void navigate({ search: chosen === '' ? {} : { template: Number(chosen) }, replace: true })
            }
          />
        </div>
        {id === undefined ? (
          <EmptyState>{jobs.chooseTemplate}</EmptyState>
        ) : (
          <Loaded query={query}>{(template) => <NewJobForm key={template.id} template={template} />}</Loaded>
        )}
      </section>
    </Screen>
  );
}

interface NewJobFormProps {
  readonly template: components['schemas']['JobTemplateDetail'];
}

function NewJobForm({ template }: NewJobFormProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const { jobs, connectors } = useTexts();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [mapping, setMapping] = useState<Readonly<Record<string, number>>>({});
  const create = useMutation({
    mutationFn: async () => {
      const { id } = await api.POST('/api/job-templates/{id}/jobs', {
        params: { path: { id: template.id } },
        body: { name, description: description || null, connector_mapping: { ...mapping } },
      });
      const config = await api.GET('/api/jobs/{id}/config', { params: { path: { id } } }).catch(() => null);
      return { id, view: config !== null && isEmpty(config.schema) ? 'triggers' : 'config' } as const;
    },
    onSuccess({ id, view }) {
      void client.invalidateQueries({ queryKey: ['jobs'] });
      void navigate({ to: '/jobs/$id', params: { id: String(id) }, search: { setup: true, view } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const map = (key: string, id: number | undefined) =>
    setMapping(({ [key]: _, ...others }) => (id === undefined ? others : { ...others, [key]: id }));
  return (
    <form className="stack" onSubmit={submit}>
      <div className="config-fields">
        <TextField label={jobs.name} required maxLength={nameCharsMax} value={name} onChange={setName} />
        <TextField label={connectors.description} value={description} onChange={setDescription} />
      </div>
      <h2>{connectors.title}</h2>
      <div className="config-fields">
        {Object.entries(template.connectors ?? {}).map(([key, connector]) => (
          <ConnectorChoice
            key={key}
            name={key}
            {...connector}
            value={mapping[key]}
            onChange={(id) => map(key, id)}
          />
        ))}
      </div>
      <FormProblem error={create.error} />
      <div className="form-buttons">
        <button type="submit" className="button" disabled={create.isPending}>
          {jobs.create}
        </button>
      </div>
    </form>
  );
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}
