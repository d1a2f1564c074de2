import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createPatch } from 'diff';
import type { ReactNode } from 'react';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { DiffText } from '../../../frame/records/diff-text.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

interface ConflictSectionProps {
  readonly id: number;
  readonly text: string;
  /** The draft is kept, to be saved on top of this version. */
  onKeep(version: number): void;
  /** The draft is thrown away for what was saved. */
  onTake(): void;
}

const headLines = 4;

/** Somebody else has saved since: both texts as a diff, and the choice between them. */
export function ConflictSection({ id, text, onKeep, onTake }: ConflictSectionProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { editor } = useTexts();
  const query = useQuery({
    queryKey: ['task', id, 'newest'],
    queryFn: ({ signal }) => api.GET('/api/tasks/{id}', { params: { path: { id } }, signal }),
    gcTime: 0,
  });
  return (
    <section className="failure-note" role="alert" aria-label={editor.conflict}>
      <h2>{editor.conflict}</h2>
      <Loaded query={query}>
        {(task) => (
          <>
            <p>{editor.conflictHint(task.updated_by ?? '', task.version)}</p>
            <DiffText label={editor.conflictDiff} diff={diffOf(task.yaml_content, text)} />
            <div className="form-buttons">
              <button
                type="button"
                className="button"
                onClick={() => {
                  client.setQueryData(['task', id], task);
                  onKeep(task.version);
                }}
              >
                {editor.keepMine}
              </button>
              <button
                type="button"
                className="button"
                data-style="secondary"
                onClick={() => {
                  client.setQueryData(['task', id], task);
                  onTake();
                }}
              >
                {editor.takeTheirs}
              </button>
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}

function diffOf(theirs: string, mine: string): string {
  const patch = createPatch('', theirs, mine, undefined, undefined, { context: 2 });
  return patch.split('\n').slice(headLines).join('\n');
}
