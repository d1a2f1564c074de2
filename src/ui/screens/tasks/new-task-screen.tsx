import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { connectorTypesQuery } from '../../frame/state/connector-types-query.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { startTask } from './start-task.ts';
import { TaskTextEditor } from './task-text-editor.tsx';

const connectorsMax = 100;

/** A new task, written from a small one with connectors that there are. */
export function NewTaskScreen(): ReactNode {
  const api = useApi();
  const { tasks } = useTexts();
  const types = useQuery(connectorTypesQuery(api));
  const used = useQuery({
    queryKey: ['connectors', 'types-in-use'],
    queryFn: ({ signal }) =>
      api.GET('/api/connectors', {
        params: { query: { sort: 'id', limit: connectorsMax, fields: 'id,type' } },
        signal,
      }),
    select: ({ result }) => result.flatMap(({ type }) => (type === undefined ? [] : [type])),
    gcTime: 0,
  });
  return (
    <Screen
      title={tasks.new}
      above={
        <p className="screen-above">
          <Link to="/tasks">{tasks.title}</Link>
        </p>
      }
    >
      <Loaded query={types}>
        {({ result }) => (
          <Loaded query={used}>
            {(inUse) => <TaskTextEditor saved={null} newText={startTask(result, inUse)} />}
          </Loaded>
        )}
      </Loaded>
    </Screen>
  );
}
