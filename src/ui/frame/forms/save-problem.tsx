import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { diffOf } from '../definitions/text-diff.ts';
import { Loaded } from '../layout/loaded.tsx';
import { DiffText } from '../records/diff-text.tsx';
import { isRow } from '../records/row.ts';
import { ConflictChoice } from './conflict-choice.tsx';
import { FormProblem } from './form-problem.tsx';

interface SaveProblemProps<T> {
  readonly error: Error | null;
  /** The API's names of fields that show their own problems. */
  readonly fields?: readonly string[];
  /** What would be saved, without secrets. Its keys are those that are compared. */
  readonly mine: object;
  /** The record as it is saved now. */
  read(signal: AbortSignal): Promise<T>;
  /** Saves what is typed over the record that was read. */
  onKeep(theirs: T): void;
  /** What is typed is thrown away for the record that was read. */
  onTake(theirs: T): void;
}

/** Whether somebody else has saved since the form was filled. */
export function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** Why a record could not be saved. Where somebody else has saved since: both versions, and the choice between them. */
export function SaveProblem<T extends object>(props: SaveProblemProps<T>): ReactNode {
  return isConflict(props.error) ? (
    <Conflict {...props} />
  ) : (
    <FormProblem error={props.error} fields={props.fields} />
  );
}

function Conflict<T extends object>({ mine, read, onKeep, onTake }: SaveProblemProps<T>): ReactNode {
  const id = useId();
  const query = useQuery({
    queryKey: ['saved-since', id],
    queryFn: ({ signal }) => read(signal),
    gcTime: 0,
  });
  return (
    <Loaded query={query} lines={2}>
      {(theirs) => (
        <ConflictNote
          mine={mine}
          theirs={theirs}
          onKeep={() => onKeep(theirs)}
          onTake={() => onTake(theirs)}
        />
      )}
    </Loaded>
  );
}

interface ConflictNoteProps {
  readonly mine: unknown;
  /** Only what `mine` has too is compared. */
  readonly theirs: unknown;
  onKeep(): void;
  onTake(): void;
}

/** Both versions as a diff, and the choice between them. */
export function ConflictNote({ mine, theirs, onKeep, onTake }: ConflictNoteProps): ReactNode {
  const { editor } = useTexts();
  return (
    <section className="failure-note" role="alert" aria-label={editor.conflict}>
      <h3>{editor.conflict}</h3>
      <DiffText label={editor.conflictDiff} diff={diffOf(linesOf(alike(theirs, mine)), linesOf(mine))} />
      <p className="field-hint">{editor.conflictLines}</p>
      <ConflictChoice onKeep={onKeep} onTake={onTake} />
    </section>
  );
}

/** The same keys in the same order, so that only values differ. */
function alike(theirs: unknown, mine: unknown): unknown {
  if (!isRow(theirs) || !isRow(mine)) return theirs;
  return Object.fromEntries(Object.entries(mine).map(([key, value]) => [key, alike(theirs[key], value)]));
}

function linesOf(value: unknown): string {
  if (!isRow(value)) return `${JSON.stringify(value ?? null, null, 2)}\n`;
  return Object.entries(value)
    .map(([key, one]) => `${key}: ${typeof one === 'string' ? one : JSON.stringify(one ?? null, null, 2)}\n`)
    .join('');
}
