import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TypedBeside } from '../../../frame/definitions/definition-editor.tsx';
import type { ChosenConnectors } from '../../../frame/definitions/names/use-chosen-connectors.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { CodeText } from '../../../frame/records/code-text.tsx';
import { JobFilter } from '../../../frame/records/filter.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { ExpressionValue } from './expression-value.tsx';
import { type ShownStep, StepPreview } from './step-preview.tsx';
import { bodyOf, noInput, parsedArgs, TaskInputs } from './task-inputs.tsx';

interface PreviewSectionProps {
  /** Saved or not. */
  readonly typed: TypedBeside;
  readonly declared: Readonly<Record<string, { readonly type: string }>>;
}

const rowsMax = 10;

/** Runs what is typed on a few real rows, step by step: what would be written is told, and nothing is written. */
export function PreviewSection({ typed, declared }: PreviewSectionProps): ReactNode {
  const api = useApi();
  const { tasks } = useTexts();
  const [args, setArgs] = useState(noInput.args);
  const input = { connectors: declaredOnly(typed.chosen, declared), args };
  const [example, setExample] = useState('');
  const readsConfig = typed.text.includes('job_config');
  const [job, setJob] = useState<number>();
  const config = useConfigOf(readsConfig ? job : undefined);
  const readBody = () => ({
    ...bodyOf(input, tasks.argsNotAnObject),
    ...(config.data !== undefined && { job_config: config.data.values }),
    yaml_content: typed.text,
    rows: rowsMax,
    record: example.trim() || null,
  });
  const body = whole(readBody);
  const preview = useMutation({
    mutationFn: async () => api.POST('/api/tasks/preview', { body: readBody() }),
  });
  const { data } = preview;
  return (
    <section className="task-try stack" aria-labelledby="task-preview">
      <h2 id="task-preview">{tasks.preview}</h2>
      <p className="field-hint">{tasks.previewHint}</p>
      <TaskInputs
        declared={declared}
        value={input}
        onChange={(next) => {
          setArgs(next.args);
          typed.choose(next.connectors);
        }}
      />
      {readsConfig && (
        <div className="config-fields">
          <JobFilter
            label={tasks.configOf}
            any={tasks.noConfig}
            value={job}
            onChange={(chosen) => setJob(chosen === '' ? undefined : Number(chosen))}
          />
          {job === undefined && <p className="field-hint">{tasks.noConfigHint}</p>}
        </div>
      )}
      <FormProblem error={config.error} />
      <details>
        <summary>{tasks.record}</summary>
        <label className="record-example">
          {tasks.recordName}
          <input
            type="text"
            className="field-box"
            maxLength={200}
            value={example}
            onChange={({ target }) => setExample(target.value)}
          />
        </label>
        <p className="field-hint">{tasks.recordHint}</p>
      </details>
      <FormProblem error={preview.error} />
      <div className="form-buttons">
        <button
          type="button"
          className="button"
          data-style="secondary"
          disabled={preview.isPending || config.isLoading}
          onClick={() => preview.mutate()}
        >
          {preview.isPending ? tasks.previewing : tasks.preview}
        </button>
      </div>
      {body !== null && <ScriptSection calls={[{ method: 'POST', path: '/api/tasks/preview', body }]} />}
      {data?.failure && (
        <div className="failure-note" role="alert">
          <h3>{data.failure.step === null ? tasks.previewFailed : tasks.failedAt(data.failure.step)}</h3>
          <p>{data.failure.message}</p>
        </div>
      )}
      {data !== undefined && (
        <ExpressionValue
          typed={typed}
          args={parsedArgs(args)}
          config={config.data?.values ?? {}}
          steps={data.steps as unknown as readonly ShownStep[]}
        />
      )}
      {data !== undefined && (
        <ol className="preview-steps">
          {(data.steps as unknown as readonly ShownStep[]).map((step) => (
            <StepPreview key={step.step_id} step={step} />
          ))}
        </ol>
      )}
      {data?.example && <CodeText label={tasks.record}>{JSON.stringify(data.example, null, 2)}</CodeText>}
    </section>
  );
}

/** What is typed, as a request; null while it is none. */
function whole<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** The saved configuration of a job, where one is chosen. */
function useConfigOf(job: number | undefined) {
  const api = useApi();
  return useQuery({
    queryKey: ['job', job, 'config'],
    enabled: job !== undefined,
    queryFn: ({ signal }) => api.GET('/api/jobs/{id}/config', { params: { path: { id: job ?? 0 } }, signal }),
  });
}

/** Without those of names that the text no longer has. */
function declaredOnly(chosen: ChosenConnectors, declared: PreviewSectionProps['declared']): ChosenConnectors {
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => Object.hasOwn(declared, name)));
}
