import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { ConflictChoice } from '../forms/conflict-choice.tsx';
import { Loaded } from '../layout/loaded.tsx';
import { DiffText } from '../records/diff-text.tsx';
import type { Definition, DefinitionKind } from './definition-kind.ts';
import { diffOf } from './text-diff.ts';

interface ConflictSectionProps<T extends Definition> {
  readonly kind: DefinitionKind<T>;
  readonly id: number;
  readonly text: string;
  /** The draft is kept, to be saved on top of this version. */
  onKeep(version: number): void;
  /** The draft is thrown away for what was saved. */
  onTake(): void;
}

/** Somebody else has saved since: both texts as a diff, and the choice between them. */
export function ConflictSection<T extends Definition>(props: ConflictSectionProps<T>): ReactNode {
  const { kind, id, text, onKeep, onTake } = props;
  const client = useQueryClient();
  const { editor } = useTexts();
  const query = useQuery({
    queryKey: [kind.noun, id, 'newest'],
    queryFn: ({ signal }) => kind.read(id, signal),
    gcTime: 0,
  });
  return (
    <section className="failure-note" role="alert" aria-label={editor.conflict}>
      <h2>{editor.conflict}</h2>
      <Loaded query={query}>
        {(newest) => (
          <>
            <p>{editor.conflictHint(newest.updated_by ?? '', newest.version)}</p>
            <DiffText label={editor.conflictDiff} diff={diffOf(newest.yaml_content, text)} />
            <ConflictChoice
              onKeep={() => {
                client.setQueryData([kind.noun, id], newest);
                onKeep(newest.version);
              }}
              onTake={() => {
                client.setQueryData([kind.noun, id], newest);
                onTake();
              }}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}
