import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LazyYamlEditor } from '../../../frame/definitions/lazy-yaml-editor.tsx';
import { VersionsSection } from '../../../frame/definitions/versions-section.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { Screen } from '../../../frame/layout/screen.tsx';
import { Views } from '../../../frame/layout/views.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useTaskKind, useTaskVersions } from '../task-kind.ts';
import type { TaskView } from '../task-searches.ts';
import { TaskTextEditor } from '../task-text-editor.tsx';
import type { Task } from '../tasks-screen.tsx';
import { TaskActions } from './task-actions.tsx';
import { OlderUses, UsesSection } from './uses-section.tsx';

const route = getRouteApi('/signed-in/tasks/$id');

/** One task: its YAML, the editor, its versions, and what runs it. */
export function TaskScreen(): ReactNode {
  const { read } = useTaskKind('');
  const id = Number(route.useParams().id);
  const { tasks } = useTexts();
  const { view } = route.useSearch();
  const may = useMay('editor');
  const query = useQuery({
    queryKey: ['task', id],
    queryFn: ({ signal }) => read(id, signal),
  });
  const { data } = query;
  const views: readonly (TaskView | undefined)[] = [
    undefined,
    ...(may ? (['edit'] as const) : []),
    'versions',
    'uses',
  ];
  return (
    <Screen
      title={data?.name ?? tasks.title}
      above={
        <p className="screen-above">
          <Link to="/tasks">{tasks.title}</Link>
        </p>
      }
      facts={data && <Facts task={data} />}
      actions={data && <TaskActions task={data} />}
    >
      <Views
        label={tasks.viewsLabel}
        views={views}
        textOf={(one) => tasks.views[one ?? 'yaml']}
        linkTo={(one) => ({
          to: '/tasks/$id',
          params: { id: String(id) },
          search: one === undefined ? {} : { view: one },
        })}
      />
      <Loaded query={query}>{(task) => <View key={`${id} ${view}`} task={task} view={view} />}</Loaded>
    </Screen>
  );
}

function Facts({ task }: { readonly task: Task }): ReactNode {
  const { connectors, metrics, tasks } = useTexts();
  return (
    <ul className="facts">
      {task.status === 'archived' && <li>{tasks.archived}</li>}
      <li>
        {tasks.version} {task.version}
      </li>
      <OlderUses id={task.id} version={task.version} />
      <li>
        {connectors.changed} <When at={task.updated_at} />
        {task.updated_by !== null && ` · ${task.updated_by}`}
      </li>
      <li>
        <Link to="/admin/metrics" search={{ task: task.id }}>
          {metrics.measurements}
        </Link>
      </li>
      {task.description !== null && <li>{task.description}</li>}
    </ul>
  );
}

function View({ task, view }: { readonly task: Task; readonly view: TaskView | undefined }): ReactNode {
  const { tasks } = useTexts();
  const versions = useTaskVersions();
  switch (view) {
    case undefined:
      return (
        <section className="panel" aria-label={tasks.views.yaml}>
          <LazyYamlEditor
            key={task.version}
            label={tasks.yamlOf(task.name)}
            text={task.yaml_content}
            readOnly
          />
        </section>
      );
    case 'edit':
      return <TaskTextEditor saved={task} />;
    case 'versions':
      return <VersionsSection noun="task" versions={versions} saved={task} />;
    case 'uses':
      return <UsesSection id={task.id} version={task.version} />;
    default:
      return view satisfies never;
  }
}
