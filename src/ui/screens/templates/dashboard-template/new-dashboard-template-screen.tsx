import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { DefinitionEditor } from '../../../frame/definitions/definition-editor.tsx';
import { GenerateSection } from '../../../frame/definitions/generate/generate-section.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { DraftOfTemplate } from '../../dashboards/draft/draft-of-template.tsx';
import { CompletionConnectors } from '../../jobs/parts/completion-connectors.tsx';
import { useDashboardTemplateKind } from '../dashboard-template-kind.ts';
import { startDashboard } from '../start-template.ts';
import { type Template, useTemplateKind } from '../template-kind.ts';

const route = getRouteApi('/signed-in/templates/$id/new-dashboard');

/** A new dashboard template of a job template. */
export function NewDashboardTemplateScreen(): ReactNode {
  const id = Number(route.useParams().id);
  const { templates } = useTexts();
  const { read } = useTemplateKind();
  const query = useQuery({ queryKey: ['job-template', id], queryFn: ({ signal }) => read(id, signal) });
  return (
    <Screen
      title={templates.newDashboard}
      above={
        <p className="screen-above">
          <Link to="/templates/$id" params={{ id: String(id) }} search={{ view: 'dashboards' }}>
            {query.data?.name ?? templates.title}
          </Link>
        </p>
      }
    >
      <Loaded query={query}>{(template) => <NewText key={id} template={template} />}</Loaded>
    </Screen>
  );
}

function NewText({ template: { id, dag, yaml_content } }: { readonly template: Template }): ReactNode {
  const { tasks, templates } = useTexts();
  const navigate = useNavigate();
  const start = useMemo(() => startDashboard(dag?.levels), [dag]);
  return (
    <DefinitionEditor
      kind={useDashboardTemplateKind(id, start)}
      saved={null}
      place={`new.${id}`}
      label={tasks.yamlOf(templates.newDashboard)}
      beside={(typed) => (
        <>
          <GenerateSection typed={typed} what={{ kind: 'dashboard', id: null, jobTemplateId: id }} />
          <CompletionConnectors typed={typed} declaredIn={yaml_content} />
          <DraftOfTemplate text={typed.text} jobTemplateId={id} />
        </>
      )}
      onCreated={(made) =>
        void navigate({
          to: '/dashboard-templates/$id',
          params: { id: String(made.id) },
          search: { view: 'edit' },
        })
      }
    />
  );
}
