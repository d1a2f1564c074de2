import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { components } from '../../../client/openapi-types.ts';
import { Loaded, Placeholder } from '../../frame/layout/loaded.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { connectorTypesQuery } from '../../frame/state/connector-types-query.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { likelyKey, type SampledRows } from './load/likely-key.ts';
import { type SourceTask, sourceTask, startTask, type UsedConnector } from './start-task.ts';
import { TaskTextEditor } from './task-text-editor.tsx';

type ConnectorType = components['schemas']['ConnectorType'];

const connectorsMax = 100;
const placeholderLines = 5;
const sampledRowsMax = 100;
const sampleMsMax = 5_000;

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
    select: ({ result }) =>
      result.flatMap(({ id, type }) => (id === undefined || type === undefined ? [] : [{ id, type }])),
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
          <Loaded query={used}>{(inUse) => <StartedTask types={result} used={inUse} />}</Loaded>
        )}
      </Loaded>
    </Screen>
  );
}

interface StartedTaskProps {
  readonly types: readonly ConnectorType[];
  readonly used: readonly UsedConnector[];
}

/** The editor of a small task, once the source has been looked at, or does not answer in time. */
function StartedTask({ types, used }: StartedTaskProps): ReactNode {
  const api = useApi();
  const source = sourceTask(types, used);
  const sample = useQuery({
    queryKey: ['connector', source?.id, 'key-sample'],
    queryFn: async ({ signal }) =>
      source && sampleOf(api, source, AbortSignal.any([signal, AbortSignal.timeout(sampleMsMax)])),
    enabled: source !== null,
    gcTime: 0,
  });
  if (source !== null && sample.isPending) return <Placeholder lines={placeholderLines} />;
  const rows = sample.data ?? null;
  const key = rows === null ? null : likelyKey(rows);
  const columns = (rows?.columns ?? []).map(({ name }) => name);
  return <TaskTextEditor saved={null} newText={startTask(types, used, key)} columns={columns} />;
}

/** First rows of a source, as a preview has them; null where it does not answer, or has to be told what to read. */
async function sampleOf(
  api: Client,
  { id, task }: SourceTask,
  signal: AbortSignal,
): Promise<SampledRows | null> {
  const body = { yaml_content: task, connectors: { source: id }, rows: sampledRowsMax };
  // A failure would be read again with everything else, as after a new sign-in, and the editor would give way to it meanwhile.
  const preview = await api.POST('/api/tasks/preview', { body, signal }).catch(() => null);
  return (preview?.steps[0] as unknown as SampledRows | undefined) ?? null;
}
