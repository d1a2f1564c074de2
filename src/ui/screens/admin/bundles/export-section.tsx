import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { eachRecord } from '../../../../client/create-client.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { saveFile } from '../../../frame/forms/save-file.ts';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ChoiceList } from '../../../frame/records/choice-list.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { Icon } from '../../../kit/icon.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { NameChoices } from './name-choices.tsx';

type Format = 'yaml' | 'zip';
type Reach = 'all' | 'some';

const pageRecords = 200;

/** What of the definitions goes into a file, and its download. */
export function ExportSection(): ReactNode {
  const api = useApi();
  const { bundles } = useTexts();
  const [reach, setReach] = useState<Reach>('all');
  const [templates, setTemplates] = useState<readonly string[]>([]);
  const [tasks, setTasks] = useState<readonly string[]>([]);
  const [withConnectors, setWithConnectors] = useState(false);
  const [format, setFormat] = useState<Format>('yaml');
  const isAll = reach === 'all';
  const body = {
    tasks: isAll ? ('*' as const) : [...tasks],
    job_templates: isAll ? ('*' as const) : [...templates],
    include_connectors: isAll && withConnectors ? ('*' as const) : withConnectors,
    include_dashboard_templates: true,
    format,
  };
  const download = useMutation({
    async mutationFn() {
      const blob = await api.POST('/api/export', { body, parseAs: 'blob' });
      saveFile(blob as unknown as Blob, `headgate-bundle.${format}`);
    },
  });
  const chosen = [
    ...tasks.flatMap((name) => ['--task', name]),
    ...templates.flatMap((name) => ['--template', name]),
  ];
  const isEmpty = !isAll && chosen.length === 0;
  const command = [
    'export',
    ...(isAll ? ['--all'] : chosen),
    ...(withConnectors ? ['--connectors'] : []),
    ...['--format', format, '--out', `headgate-bundle.${format}`],
  ];
  return (
    <section className="panel stack" aria-labelledby="bundle-export">
      <h2 id="bundle-export">{bundles.export.title}</h2>
      <ChoiceList<Reach>
        legend={bundles.export.what}
        choices={[
          { value: 'all', label: bundles.export.all, hint: bundles.export.allHint },
          { value: 'some', label: bundles.export.some, hint: bundles.export.someHint },
        ]}
        value={reach}
        onChange={setReach}
      />
      {!isAll && (
        <DefinitionChoices
          templates={templates}
          tasks={tasks}
          onTemplates={setTemplates}
          onTasks={setTasks}
        />
      )}
      <label className="check-line">
        <input
          type="checkbox"
          checked={withConnectors}
          onChange={({ target }) => setWithConnectors(target.checked)}
        />
        {bundles.export.connectors}
      </label>
      <SelectField<Format>
        label={bundles.export.format}
        options={[
          ['yaml', bundles.export.formats.yaml],
          ['zip', bundles.export.formats.zip],
        ]}
        value={format}
        onChange={setFormat}
      />
      <FormProblem error={download.error} />
      <div className="dialog-buttons">
        {isEmpty && <p className="field-hint">{bundles.export.nothing}</p>}
        <button
          type="button"
          className="button"
          disabled={download.isPending || isEmpty}
          onClick={() => download.mutate()}
        >
          <Icon name="download" />
          {bundles.export.download}
        </button>
      </div>
      {!isEmpty && <ScriptSection calls={[{ method: 'POST', path: '/api/export', body, command }]} />}
    </section>
  );
}

interface DefinitionChoicesProps {
  readonly templates: readonly string[];
  readonly tasks: readonly string[];
  onTemplates(names: readonly string[]): void;
  onTasks(names: readonly string[]): void;
}

function DefinitionChoices(props: DefinitionChoicesProps): ReactNode {
  const { templates, tasks, onTemplates, onTasks } = props;
  const { bundles } = useTexts();
  const query = useDefinitionNames();
  return (
    <Loaded query={query}>
      {(names) => (
        <div className="bundle-choices">
          <NameChoices
            legend={bundles.export.templates}
            names={names.templates}
            chosen={templates}
            onChange={onTemplates}
          />
          <NameChoices legend={bundles.export.tasks} names={names.tasks} chosen={tasks} onChange={onTasks} />
        </div>
      )}
    </Loaded>
  );
}

/** The names of all templates and tasks that are not archived. */
function useDefinitionNames() {
  const api = useApi();
  return useQuery({
    queryKey: ['bundle-names'],
    async queryFn({ signal }) {
      const query = { sort: 'name', limit: pageRecords, fields: 'id,name' } as const;
      const paged = (cursor: string | undefined) => ({
        params: { query: { ...query, ...(cursor !== undefined && { cursor }) } },
        signal,
      });
      return {
        templates: await namesOf(eachRecord((cursor) => api.GET('/api/job-templates', paged(cursor)))),
        tasks: await namesOf(eachRecord((cursor) => api.GET('/api/tasks', paged(cursor)))),
      };
    },
  });
}

async function namesOf(records: AsyncIterable<{ readonly name?: string }>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of records) if (name !== undefined) names.push(name);
  return names;
}
