import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { FormProblem } from '../../frame/forms/form-problem.tsx';
import { ShownOnce } from '../../frame/forms/shown-once.tsx';
import { nameCharsMax, TextField } from '../../frame/forms/text-field.tsx';
import { Loaded } from '../../frame/layout/loaded.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { ModalDialog } from '../../kit/modal-dialog.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

const dayMs = 86_400_000;
const lifetimesDays = [30, 90, 365] as const;
const lifetimeDefaultDays = 90;
const everything = '*';

interface NewApiKeyDialogProps {
  onMade(): void;
  onClose(): void;
}

/** Makes a key and shows its token, once. */
export function NewApiKeyDialog({ onMade, onClose }: NewApiKeyDialogProps): ReactNode {
  const { account } = useTexts();
  const [token, setToken] = useState<string | null>(null);
  const show = (made: string) => {
    setToken(made);
    onMade();
  };
  if (token === null) return <KeyForm onClose={onClose} onMade={show} />;
  return <ShownOnce title={account.keyMade} hint={account.keyOnce} secret={token} onClose={onClose} />;
}

interface KeyFormProps {
  onMade(token: string): void;
  onClose(): void;
}

function KeyForm({ onMade, onClose }: KeyFormProps): ReactNode {
  const api = useApi();
  const { account, frame } = useTexts();
  const [name, setName] = useState('');
  const [days, setDays] = useState<number | null>(lifetimeDefaultDays);
  const [scopes, setScopes] = useState<readonly string[]>([everything]);
  const create = useMutation({
    mutationFn: () => {
      const expires_at = days === null ? null : new Date(Date.now() + days * dayMs).toISOString();
      return api.POST('/api/api-keys', { body: { name, scopes: [...scopes], expires_at } });
    },
    onSuccess: ({ token }) => onMade(token),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <ModalDialog labelledBy="new-key" busy={create.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="new-key">{account.newKey}</h2>
        <TextField label={account.name} required maxLength={nameCharsMax} value={name} onChange={setName} />
        <Lifetime value={days} onChange={setDays} />
        <Scopes value={scopes} onChange={setScopes} />
        <FormProblem error={create.error} />
        <div className="dialog-buttons">
          <button type="button" className="button button-plain" onClick={onClose}>
            {frame.cancel}
          </button>
          <button type="submit" className="button" disabled={create.isPending || scopes.length === 0}>
            {account.createKey}
          </button>
        </div>
      </form>
    </ModalDialog>
  );
}

interface LifetimeProps {
  /** Days; null: it does not expire. */
  readonly value: number | null;
  onChange(days: number | null): void;
}

function Lifetime({ value, onChange }: LifetimeProps): ReactNode {
  const id = useId();
  const { account } = useTexts();
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>{account.expires}</label>
      </div>
      <select
        id={id}
        className="field-box"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      >
        {lifetimesDays.map((days) => (
          <option key={days} value={days}>
            {account.days(days)}
          </option>
        ))}
        <option value="">{account.never}</option>
      </select>
    </div>
  );
}

interface ScopesProps {
  readonly value: readonly string[];
  onChange(scopes: readonly string[]): void;
}

/** Everything, or chosen from the server's own list. */
function Scopes({ value, onChange }: ScopesProps): ReactNode {
  const api = useApi();
  const name = useId();
  const { account } = useTexts();
  const known = useQuery({
    queryKey: ['api-key-scopes'],
    queryFn: ({ signal }) => api.GET('/api/api-keys/scopes', { signal }),
  });
  const isAll = value.includes(everything);
  const toggle = (scope: string) =>
    onChange(value.includes(scope) ? value.filter((one) => one !== scope) : [...value, scope]);
  return (
    <fieldset className="scopes">
      <legend>{account.scopes}</legend>
      <label>
        <input type="radio" name={name} checked={isAll} onChange={() => onChange([everything])} />
        {account.everything}
      </label>
      <label>
        <input type="radio" name={name} checked={!isAll} onChange={() => onChange([])} />
        {account.chosen}
      </label>
      {!isAll && (
        <Loaded query={known}>
          {({ result }) => (
            <div className="scope-list">
              {result.map((scope) => (
                <label key={scope}>
                  <input type="checkbox" checked={value.includes(scope)} onChange={() => toggle(scope)} />
                  <code>{scope}</code>
                </label>
              ))}
            </div>
          )}
        </Loaded>
      )}
    </fieldset>
  );
}
