import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Task } from '../tasks-screen.tsx';
import { ConflictSection } from './conflict-section.tsx';
import type { TextProblem } from './create-editor.ts';
import { LazyYamlEditor } from './lazy-yaml-editor.tsx';
import { ProblemList } from './problem-list.tsx';
import { useTextDraft } from './use-text-draft.ts';
import type { YamlEditorHandle } from './yaml-editor.tsx';

interface TaskEditorProps {
  /** Null: it makes a new one. */
  readonly saved: Task | null;
}

const newText = `version: 1
name: my_task
connectors:
  source: { type: csv }
  target: { type: sqlite }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: rows, mode: append }
`;

/** A task's YAML to write: problems as one types, a draft that stays, and a save that never overwrites what somebody else saved. */
export function TaskEditor({ saved }: TaskEditorProps): ReactNode {
  const api = useApi();
  const { editor, tasks } = useTexts();
  const base = { text: saved?.yaml_content ?? newText, version: saved?.version ?? 0 };
  const { draft, edit, rebase, drop } = useTextDraft(`task.${saved?.id ?? 'new'}`, base);
  const text = draft?.text ?? base.text;
  // The editor begins anew where its text is replaced from outside.
  const [start, setStart] = useState(0);
  const [problems, setProblems] = useState<readonly TextProblem[] | null>(null);
  const handle = useRef<YamlEditorHandle>(null);
  const save = useSaveTask(saved, { text, version: draft?.version ?? base.version }, drop);
  const check = async (yaml_content: string) => {
    const found = await api.POST('/api/tasks/validate', { body: { yaml_content } }).then(
      (answer) => answer.problems,
      () => null,
    );
    setProblems(found);
    return found;
  };
  const throwAway = () => {
    drop();
    save.reset();
    setStart(start + 1);
  };
  const isOutdated =
    save.error instanceof ApiError && save.error.status === 412 && save.error.code !== 'CONFLICT';
  const maySave = saved === null || draft !== null;
  return (
    <section className="panel stack" aria-label={tasks.views.edit}>
      {draft !== null && (
        <div className="draft-note" role="note">
          <span>{saved === null || draft.version === saved.version ? editor.draft : editor.oldDraft}</span>
          <button type="button" className="text-button" onClick={throwAway}>
            {editor.throwAway}
          </button>
        </div>
      )}
      <LazyYamlEditor
        key={start}
        handle={handle}
        label={tasks.yamlOf(saved?.name ?? tasks.new)}
        text={text}
        onChange={edit}
        check={check}
        onSave={() => {
          if (maySave && !save.isPending) save.mutate();
        }}
      />
      <p className="field-hint">{editor.keys}</p>
      <ProblemList problems={problems} onChoose={(problem) => handle.current?.goTo(problem)} />
      {isOutdated && saved !== null ? (
        <ConflictSection
          id={saved.id}
          text={text}
          onKeep={(version) => {
            rebase(version);
            save.reset();
          }}
          onTake={throwAway}
        />
      ) : (
        <FormProblem error={save.error} />
      )}
      <div className="form-buttons">
        <button
          type="button"
          className="button"
          disabled={!maySave || save.isPending}
          onClick={() => save.mutate()}
        >
          {saved === null ? editor.create : editor.save}
        </button>
        <span className="field-hint" role="status">
          {save.isSuccess && draft === null && saved !== null && (
            <>
              {editor.saved} <When at={saved.updated_at} />
            </>
          )}
        </span>
      </div>
    </section>
  );
}

function useSaveTask(
  saved: Task | null,
  { text, version }: { readonly text: string; readonly version: number },
  drop: () => void,
) {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => {
      const body = { yaml_content: text };
      if (saved === null) return api.POST('/api/tasks', { body });
      const params = { path: { id: saved.id }, header: { 'If-Match': `"${version}"` } };
      return api.PUT('/api/tasks/{id}', { params, body });
    },
    onSuccess(task) {
      drop();
      client.setQueryData(['task', task.id], task);
      void client.invalidateQueries({ queryKey: ['tasks'] });
      void client.invalidateQueries({ queryKey: ['task', task.id, 'versions'] });
      if (saved === null)
        void navigate({ to: '/tasks/$id', params: { id: String(task.id) }, search: { view: 'edit' } });
    },
  });
}
