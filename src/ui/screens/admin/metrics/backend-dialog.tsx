import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { LinesField } from '../../../frame/forms/lines-field.tsx';
import { SaveProblem } from '../../../frame/forms/save-problem.tsx';
import { SelectField } from '../../../frame/forms/select-field.tsx';
import { nameCharsMax, TextField } from '../../../frame/forms/text-field.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { ModalDialog } from '../../../kit/modal-dialog.tsx';
import type { Texts } from '../../../texts/en/texts.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import {
  type Backend,
  type BackendDraft,
  type BackendField,
  type BackendKind,
  backendFields,
  configOf,
  draftOf,
} from './backend.ts';

const tagRows = 3;

type Hints = Texts['metrics']['hints'];

interface BackendDialogProps {
  /** Null: a new one. */
  readonly backend: Backend | null;
  onClose(): void;
}

/** A backend's kind and where it writes to. */
export function BackendDialog({ backend, onClose }: BackendDialogProps): ReactNode {
  const { admin, editor, frame, metrics } = useTexts();
  const id = useId();
  const [kind, setKind] = useState<BackendKind>(backend?.backend ?? 'statsd');
  const [name, setName] = useState(backend?.name ?? '');
  const [draft, setDraft] = useState<BackendDraft>(() => (backend === null ? {} : draftOf(backend)));
  const [base] = useState(backend);
  const api = useApi();
  const save = useSave(onClose);
  const kinds = Object.keys(backendFields) as readonly BackendKind[];
  const body = {
    ...(name !== '' && { name }),
    backend: kind,
    config: configOf(kind, draft, base?.config ?? null),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ base, body });
  };
  return (
    <ModalDialog labelledBy={id} busy={save.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={id}>{backend?.name ?? metrics.new}</h2>
        {backend === null && (
          <SelectField<BackendKind>
            label={metrics.kind}
            options={kinds.map((one) => [one, metrics.kinds[one]] as const)}
            value={kind}
            onChange={setKind}
          />
        )}
        <TextField
          label={admin.users.name}
          autoFocus
          maxLength={nameCharsMax}
          value={name}
          onChange={setName}
        />
        {backendFields[kind].map((field) => (
          <ConfigField
            key={field.key}
            field={field}
            isStored={backend?.config[field.key] !== undefined}
            value={draft[field.key] ?? ''}
            onChange={(value) => setDraft((before) => ({ ...before, [field.key]: value }))}
          />
        ))}
        <SaveProblem
          error={save.error}
          mine={{ ...body, config: shownConfig(kind, body.config) }}
          read={(signal) =>
            api.GET('/api/metrics/config/{id}', { params: { path: { id: base?.id ?? 0 } }, signal })
          }
          onKeep={(theirs) => save.mutate({ base: theirs, body })}
          onTake={onClose}
        />
        <div className="dialog-buttons">
          <button type="button" className="button button-plain" onClick={onClose}>
            {frame.cancel}
          </button>
          <button type="submit" className="button" disabled={save.isPending}>
            {backend === null ? editor.create : editor.save}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}

interface ConfigFieldProps {
  readonly field: BackendField;
  readonly isStored: boolean;
  readonly value: string;
  onChange(value: string): void;
}

function ConfigField({ field, isStored, value, onChange }: ConfigFieldProps): ReactNode {
  const { metrics } = useTexts();
  const { key, kind, required = false } = field;
  const shared = { label: metrics.fields[key], value, onChange };
  if (kind === 'tags') return <LinesField {...shared} hint={metrics.hints.tags} rows={tagRows} />;
  if (kind === 'tag_format')
    return (
      <SelectField
        {...shared}
        value={value === '' ? 'datadog' : value}
        options={Object.entries(metrics.tagFormats)}
      />
    );
  const hint = hintOf(metrics.hints, field, isStored);
  return (
    <TextField
      {...shared}
      required={required}
      type={kind === 'secret' ? 'password' : kind}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      {...(hint !== '' && { hint })}
    />
  );
}

function hintOf(hints: Hints, { key, kind, byDefault }: BackendField, isStored: boolean): string {
  const what =
    key === 'path' ? hints.path : key !== 'url' ? '' : kind === 'secret' ? hints.database : hints.url;
  const more = kind === 'secret' && isStored ? hints.stored : byDefault && hints.byDefault(byDefault);
  return [what, more].filter(Boolean).join(' ');
}

/** Without what is secret in it. */
function shownConfig(kind: BackendKind, config: Readonly<Record<string, unknown>>): object {
  const secrets = new Set<string>(
    backendFields[kind].flatMap((field) => (field.kind === 'secret' ? [field.key] : [])),
  );
  return Object.fromEntries(Object.entries(config).filter(([key]) => !secrets.has(key)));
}

interface Sent {
  /** What it is saved on top of; null: a new one. */
  readonly base: Backend | null;
  readonly body: { name?: string; backend: BackendKind; config: Record<string, unknown> };
}

function useSave(onDone: () => void) {
  const api = useApi();
  const client = useQueryClient();
  const press = useRef(crypto.randomUUID());
  return useMutation({
    mutationFn({ base, body }: Sent) {
      if (base === null) {
        const header = { 'Idempotency-Key': press.current };
        return api.POST('/api/metrics/config', { params: { header }, body });
      }
      const params = { path: { id: base.id }, header: { 'If-Match': `"${base.version}"` } };
      return api.PUT('/api/metrics/config/{id}', { params, body });
    },
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['metrics-config'] });
      onDone();
    },
    onError() {
      // What was refused is asked anew.
      press.current = crypto.randomUUID();
    },
  });
}
