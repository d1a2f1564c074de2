import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { FormProblem } from '../forms/form-problem.tsx';
import { nameCharsMax, TextField } from '../forms/text-field.tsx';
import { When } from '../records/moments.tsx';
import { useConnection } from '../state/connection.ts';
import { ConflictSection } from './conflict-section.tsx';
import type { TextProblem } from './create-editor.ts';
import type { Definition, DefinitionKind } from './definition-kind.ts';
import { FormatButton } from './format/format-button.tsx';
import { LazyYamlEditor } from './lazy-yaml-editor.tsx';
import { type ChosenConnectors, passChosen, useChosenConnectors } from './names/use-chosen-connectors.ts';
import { useNameSource } from './names/use-name-source.ts';
import { ProblemList } from './problem-list.tsx';
import { type TextDraft, useTextDraft } from './use-text-draft.ts';
import { useVocabulary } from './use-vocabulary.ts';
import type { YamlEditorHandle } from './yaml-editor.tsx';

/** What is typed, and with which connectors it is tried and completed. */
export interface TypedBeside {
  readonly text: string;
  /** Where the cursor is in it, in characters from 0. */
  readonly cursor: number;
  readonly chosen: ChosenConnectors;
  choose(chosen: ChosenConnectors): void;
  /** Another text in its place, which is not saved and can be undone. */
  replace(text: string): void;
}

interface DefinitionEditorProps<T extends Definition> {
  readonly kind: DefinitionKind<T>;
  /** Null: it makes a new one. */
  readonly saved: T | null;
  /** Names the draft of a new one, where several are begun beside each other. */
  readonly place?: string;
  /** Names the editor, for those who do not see it. */
  readonly label: string;
  /** Connectors of the job that the text belongs to. Where they are known, nothing else is chosen. */
  readonly connectors?: ChosenConnectors;
  /** Shown beside the text where there is room, else below it, from what is typed. */
  beside?(typed: TypedBeside): ReactNode;
  onCreated?(made: T): void;
}

/** YAML to write: problems as one types, a draft that stays, and a save that never overwrites what somebody else saved. */
export function DefinitionEditor<T extends Definition>(props: DefinitionEditorProps<T>): ReactNode {
  const { kind, saved, place = 'new', label, beside } = props;
  const { editor } = useTexts();
  // A new one begins with what was known when it was opened.
  const [first] = useState(() => baseOf(kind, null));
  const base = saved === null ? first : baseOf(kind, saved);
  const { draft, edit, rebase, drop } = useTextDraft(`${kind.noun}.${saved?.id ?? place}`, base);
  const typed = draft ?? base;
  // The editor begins anew where its text is replaced from outside.
  const [start, setStart] = useState(0);
  const [cursor, setCursor] = useState(0);
  const [isFormatRefused, setFormatRefused] = useState(false);
  const handle = useRef<YamlEditorHandle>(null);
  const { chosen, choose } = useChosenConnectors(`${kind.noun}.${saved?.id ?? place}`);
  const { names, unreachable } = useNameSource(props.connectors ?? chosen);
  const vocabulary = useVocabulary(kind, names);
  const save = useSave(props, typed, drop);
  const { problems, check } = useCheck(kind, handle);
  const throwAway = () => {
    drop();
    save.reset();
    setStart(start + 1);
  };
  const maySave = (saved === null || draft !== null) && (!kind.isNamed || typed.name.trim() !== '');
  return (
    <div className="editing">
      <section className="panel stack" aria-label={editor.edit}>
        {draft !== null && (
          <div className="draft-note" role="note">
            <span>{saved === null || draft.version === saved.version ? editor.draft : editor.oldDraft}</span>
            <button type="button" className="text-button" onClick={throwAway}>
              {editor.throwAway}
            </button>
          </div>
        )}
        {kind.isNamed && <NameFields typed={typed} onChange={edit} />}
        <LazyYamlEditor
          key={start}
          handle={handle}
          vocabulary={vocabulary}
          label={label}
          text={typed.text}
          onChange={(text) => {
            edit({ text });
            setFormatRefused(false);
          }}
          onCursor={setCursor}
          check={check}
          onFormat={(isFormatted) => setFormatRefused(!isFormatted)}
          onSave={() => {
            if (maySave && !save.isPending) save.mutate();
          }}
        />
        <div className="field-hint">
          <p>{editor.keys}</p>
          <p role="status">{unreachable.length > 0 && editor.unreachable(unreachable.join(', '))}</p>
        </div>
        <ProblemList problems={problems} onChoose={(problem) => handle.current?.goTo(problem)} />
        {isOutdated(save.error) && saved !== null ? (
          <ConflictSection
            kind={kind}
            id={saved.id}
            text={typed.text}
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
          <FormatButton isRefused={isFormatRefused} format={() => handle.current?.format()} />
          <span className="field-hint" role="status">
            {save.isSuccess && draft === null && saved !== null && (
              <>
                {editor.saved} <When at={saved.updated_at} />
              </>
            )}
          </span>
        </div>
      </section>
      {beside !== undefined && (
        <div className="panel stack editing-beside">
          {beside({
            text: typed.text,
            cursor,
            chosen,
            choose,
            replace: (text) => handle.current?.replace(text),
          })}
        </div>
      )}
    </div>
  );
}

/**
 * Checks by the cache of queries, which notices a server or a session that is lost; what could not be checked while the server was lost
 * is checked once it is back. Null where nobody can say.
 */
function useCheck<T extends Definition>(kind: DefinitionKind<T>, handle: RefObject<YamlEditorHandle | null>) {
  const client = useQueryClient();
  const connection = useConnection();
  const [problems, setProblems] = useState<readonly TextProblem[] | null>(null);
  const isUnchecked = problems === null;
  useEffect(() => {
    if (connection === 'ok' && isUnchecked) handle.current?.check();
  }, [handle, connection, isUnchecked]);
  const check = async (text: string) => {
    const question = { queryKey: ['checked', kind.noun, text], queryFn: () => kind.check(text) };
    const fresh = { staleTime: 0, gcTime: 0, retry: false } as const;
    const found = await client.fetchQuery({ ...question, ...fresh }).catch(() => null);
    setProblems(found);
    return found;
  };
  return { problems, check };
}

interface NameFieldsProps {
  readonly typed: TextDraft;
  onChange(change: { readonly name?: string; readonly description?: string }): void;
}

function NameFields({ typed, onChange }: NameFieldsProps): ReactNode {
  const { editor } = useTexts();
  return (
    <div className="config-fields">
      <TextField
        label={editor.name}
        required
        {...(typed.name.trim() === '' && { hint: editor.nameHint })}
        maxLength={nameCharsMax}
        value={typed.name}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={editor.description}
        value={typed.description}
        onChange={(description) => onChange({ description })}
      />
    </div>
  );
}

function baseOf<T extends Definition>(
  { newText = '', newName = '', isNamed }: DefinitionKind<T>,
  saved: T | null,
): TextDraft {
  const named = { name: saved?.name ?? newName, description: saved?.description ?? '' };
  return {
    text: saved?.yaml_content ?? newText,
    version: saved?.version ?? 0,
    ...(isNamed ? named : { name: '', description: '' }),
  };
}

/** 412 of a version; the other one, of a name or a state, is told as it is. */
function isOutdated(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 412 && error.code !== 'CONFLICT';
}

function useSave<T extends Definition>(
  { kind, saved, place = 'new', onCreated }: DefinitionEditorProps<T>,
  typed: TextDraft,
  drop: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const { text, name, description, version } = typed;
      const written = { yaml_content: text, name: name.trim(), description: description || null };
      if (saved !== null) return kind.update(saved.id, version, written);
      if (kind.create === undefined) throw new Error(`Nobody writes a new ${kind.noun}`);
      return kind.create(written);
    },
    onSuccess(made) {
      drop();
      if (saved === null) passChosen(`${kind.noun}.${place}`, `${kind.noun}.${made.id}`);
      client.setQueryData([kind.noun, made.id], made);
      void client.invalidateQueries({ queryKey: [`${kind.noun}s`] });
      // All that is shown of it besides its record, such as its versions.
      void client.invalidateQueries({
        queryKey: [kind.noun, made.id],
        predicate: (query) => query.queryKey.length > 2,
      });
      if (saved === null) onCreated?.(made);
    },
  });
}
