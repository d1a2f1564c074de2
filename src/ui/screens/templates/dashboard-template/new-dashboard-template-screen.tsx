import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DefinitionEditor } from '../../../frame/definitions/definition-editor.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { CompletionConnectors } from '../../jobs/parts/completion-connectors.tsx';
import { useDashboardTemplateKind } from '../dashboard-template-kind.ts';
import { useTemplateKind } from '../template-kind.ts';

const route = getRouteApi('/signed-in/templates/$id/new-dashboard');

/** A new dashboard template of a job template. */
export function NewDashboardTemplateScreen(): ReactNode {
  const id = Number(route.useParams().id);
  const { tasks, templates } = useTexts();
  const navigate = useNavigate();
  const { read } = useTemplateKind();
  const template = useQuery({
    queryKey: ['job-template', id],
    queryFn: ({ signal }) => read(id, signal),
  }).data;
  return (
    <Screen
      title={templates.newDashboard}
      above={
        <p className="screen-above">
          <Link to="/templates/$id" params={{ id: String(id) }} search={{ view: 'dashboards' }}>
            {template?.name ?? templates.title}
          </Link>
        </p>
      }
    >
      <DefinitionEditor
        kind={useDashboardTemplateKind(id)}
        saved={null}
        place={`new.${id}`}
        label={tasks.yamlOf(templates.newDashboard)}
        beside={(typed) => <CompletionConnectors typed={typed} declaredIn={template?.yaml_content ?? ''} />}
        onCreated={(made) =>
          void navigate({
            to: '/dashboard-templates/$id',
            params: { id: String(made.id) },
            search: { view: 'edit' },
          })
        }
      />
    </Screen>
  );
}
