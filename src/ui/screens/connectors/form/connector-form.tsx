import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { ConnectorType } from '../parts/use-connector-types.ts';
import { ConfigFields } from './config-field.tsx';
import {
  type ConfigField,
  configOf,
  fieldsOf,
  isSeldom,
  isShown,
  secretMask,
  type Typed,
  typedConfig,
} from './config-values.ts';

export type Connector = components['schemas']['Connector'];
const nameCharsMax = 200;
const descriptionCharsMax = 4_000;

/** What a form asks to be saved. */
export interface ConnectorInput {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly config: Record<string, unknown>;
}

interface ConnectorFormProps {
  readonly type: ConnectorType;
  /** Null: a new one. */
  readonly saved: Connector | null;
  readonly save: (input: ConnectorInput) => Promise<unknown>;
  /** Below the fields, for what is typed now; null while it is no configuration. */
  readonly test?: (config: Record<string, unknown> | null) => ReactNode;
}

/** The settings of a connector, made of the schema of its type. */
export function ConnectorForm({ type, saved, save, test }: ConnectorFormProps): ReactNode {
  const { connectors } = useTexts();
  const fields = fieldsOf(type.config);
  const first = saved === null ? {} : typedConfig(fields, saved.config);
  const [name, setName] = useState(saved?.name ?? '');
  const [description, setDescription] = useState(saved?.description ?? '');
  const [typed, setTyped] = useState<Typed>(first);
  const { config, problems } = configOf(fields, typed, saved?.config);
  const action = useMutation({
    mutationFn: () => save({ name, type: type.type, description: description || null, config }),
    // What was typed into a secret's field is now a stored one.
    onSuccess: () => setTyped((now) => withoutSecrets(fields, now)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problems.length === 0) action.mutate();
  };
  const stored = Object.entries(saved?.config ?? {}).flatMap(([key, value]) =>
    value === secretMask ? [key] : [],
  );
  const common = { typed, stored, wrong: [...problems, ...wrongPlaces(action.error)], onChange: setTyped };
  const shown = fields.filter((field) => isShown(field, typed, stored));
  const seldom = shown.filter(isSeldom);
  return (
    <form className="stack" onSubmit={submit}>
      <div className="config-fields">
        <TextField
          label={connectors.name}
          required
          maxLength={nameCharsMax}
          value={name}
          onChange={setName}
        />
        <TextField
          label={connectors.description}
          maxLength={descriptionCharsMax}
          value={description}
          onChange={setDescription}
        />
        <ConfigFields {...common} fields={shown.filter((field) => !isSeldom(field))} />
      </div>
      {seldom.length > 0 && (
        <details open={seldom.some(({ key }) => typed[key]) || undefined}>
          <summary>{connectors.more}</summary>
          <div className="config-fields">
            <ConfigFields {...common} fields={seldom} />
          </div>
        </details>
      )}
      {problems.length > 0 && <p className="form-problem">{connectors.noJson(problems.join(', '))}</p>}
      <FormProblem error={action.error} />
      <div className="form-buttons">
        <button type="submit" className="button" disabled={action.isPending || problems.length > 0}>
          {saved === null ? connectors.create : connectors.save}
        </button>
        <span role="status" className="field-hint">
          {action.isSuccess && saved !== null && connectors.saved}
        </span>
        {test?.(problems.length > 0 ? null : config)}
      </div>
    </form>
  );
}

function withoutSecrets(fields: readonly ConfigField[], typed: Typed): Typed {
  const secrets = new Set(fields.flatMap(({ kind, key }) => (kind === 'secret' ? [key] : [])));
  return Object.fromEntries(Object.entries(typed).filter(([place]) => !secrets.has(place)));
}

/** `config.auth.user` is the place `auth/user`. */
function wrongPlaces(error: Error | null): readonly string[] {
  if (!(error instanceof ApiError)) return [];
  return error.details.map(({ path }) => path.replace(/^config\./, '').replaceAll('.', '/'));
}
