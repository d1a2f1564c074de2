import { type Query, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { LinesField } from '../../../frame/forms/lines-field.tsx';
import { SaveProblem } from '../../../frame/forms/save-problem.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { Loaded } from '../../../frame/layout/loaded.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { useMay } from '../../../frame/session/role.ts';
import { useApi } from '../../../frame/state/api-context.ts';
import { ModalDialog } from '../../../kit/modal-dialog.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';

type Reference = components['schemas']['AiReference'];

const contentRows = 12;
const tagRows = 3;

interface ReferenceDialogProps {
  /** Null: a new one. */
  readonly id: number | null;
  onClose(): void;
}

/** A text for the model, with when it is given. */
export function ReferenceDialog({ id, onClose }: ReferenceDialogProps): ReactNode {
  const api = useApi();
  const titleId = useId();
  const { references } = useTexts();
  const query = useQuery({
    queryKey: ['ai-references', id],
    queryFn: ({ signal }) =>
      api.GET('/api/ai/references/{id}', { params: { path: { id: id ?? 0 } }, signal }),
    enabled: id !== null,
    // What is edited must not change below the fields.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <ModalDialog labelledBy={titleId} busy={false} onClose={onClose}>
      <h2 id={titleId}>{query.data?.name ?? references.new}</h2>
      {id === null ? (
        <ReferenceForm reference={null} onClose={onClose} />
      ) : (
        <Loaded query={query}>
          {(reference) => <ReferenceForm reference={reference} onClose={onClose} />}
        </Loaded>
      )}
    </ModalDialog>
  );
}

interface ReferenceFormProps {
  readonly reference: Reference | null;
  onClose(): void;
}

function ReferenceForm({ reference, onClose }: ReferenceFormProps): ReactNode {
  const { references, admin, editor, frame } = useTexts();
  const mayWrite = useMay('editor');
  const [name, setName] = useState(reference?.name ?? '');
  const [description, setDescription] = useState(reference?.description ?? '');
  const [content, setContent] = useState(reference?.content ?? '');
  const [tags, setTags] = useState(reference?.tags.join('\n') ?? '');
  const [enabled, setEnabled] = useState(reference?.enabled ?? true);
  const [isAsked, setAsked] = useState(false);
  const api = useApi();
  const save = useSave(onClose);
  const body = {
    name,
    description: description === '' ? null : description,
    content,
    tags: tags.split('\n').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()])),
    enabled,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ base: reference, body });
  };
  return (
    <>
      <form onSubmit={submit}>
        <TextField label={admin.users.name} required autoFocus value={name} onChange={setName} />
        <TextField label={references.description} value={description} onChange={setDescription} />
        <LinesField
          label={references.content}
          hint={references.contentHint}
          rows={contentRows}
          required
          value={content}
          onChange={setContent}
        />
        <LinesField
          label={references.tags}
          hint={references.tagsHint}
          rows={tagRows}
          value={tags}
          onChange={setTags}
        />
        <label className="check-line">
          <input type="checkbox" checked={enabled} onChange={({ target }) => setEnabled(target.checked)} />
          {references.given}
        </label>
        <p className="field-hint">{references.givenHint}</p>
        <SaveProblem
          error={save.error}
          mine={body}
          read={(signal) =>
            api.GET('/api/ai/references/{id}', { params: { path: { id: reference?.id ?? 0 } }, signal })
          }
          onKeep={(base) => save.mutate({ base, body })}
          onTake={onClose}
        />
        <div className="dialog-buttons">
          {reference !== null && mayWrite && (
            <button type="button" className="button button-plain" onClick={() => setAsked(true)}>
              {references.remove}
            </button>
          )}
          <button type="button" className="button button-plain" onClick={onClose}>
            {frame.cancel}
          </button>
          {mayWrite && (
            <button type="submit" className="button" disabled={save.isPending}>
              {reference === null ? editor.create : editor.save}
            </button>
          )}
        </div>
      </form>
      {reference !== null && isAsked && (
        <RemoveDialog reference={reference} onDone={onClose} onClose={() => setAsked(false)} />
      )}
    </>
  );
}

interface Sent {
  /** What it is saved on top of; null: a new one. */
  readonly base: Reference | null;
  readonly body: Pick<Reference, 'name' | 'description' | 'content' | 'tags' | 'enabled'>;
}

function useSave(onDone: () => void) {
  const api = useApi();
  const client = useQueryClient();
  const press = useRef(crypto.randomUUID());
  return useMutation({
    mutationFn: ({ base, body }: Sent) => {
      if (base === null) {
        const header = { 'Idempotency-Key': press.current };
        return api.POST('/api/ai/references', { params: { header }, body });
      }
      const header = { 'If-Match': `"${base.version}"` };
      return api.PUT('/api/ai/references/{id}', { params: { path: { id: base.id }, header }, body });
    },
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['ai-references'] });
      onDone();
    },
    onError() {
      // What was refused is asked anew.
      press.current = crypto.randomUUID();
    },
  });
}

interface RemoveDialogProps {
  readonly reference: Reference;
  onDone(): void;
  onClose(): void;
}

function RemoveDialog({ reference, onDone, onClose }: RemoveDialogProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { references, frame } = useTexts();
  const action = useMutation({
    mutationFn: () => {
      const header = { 'If-Match': `"${reference.version}"` };
      return api.DELETE('/api/ai/references/{id}', { params: { path: { id: reference.id }, header } });
    },
    onSuccess() {
      // The form still shows what is gone: it is not asked for again.
      const isOther = ({ queryKey: [, id] }: Query) => id !== reference.id;
      void client.invalidateQueries({ queryKey: ['ai-references'], predicate: isOther });
      onDone();
    },
  });
  return (
    <ConfirmDialog
      title={`${references.remove}: ${reference.name}`}
      confirm={references.remove}
      dismiss={frame.cancel}
      danger
      action={action}
      onClose={onClose}
    >
      <p className="dialog-question">{references.removeHint}</p>
    </ConfirmDialog>
  );
}
