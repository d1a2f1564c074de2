import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import type { components } from '../../../../client/openapi-types.ts';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { SaveProblem } from '../../../frame/forms/save-problem.tsx';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { nameCharsMax, TextField } from '../../../frame/forms/text-field.tsx';
import type { ScriptCall } from '../../../kit/script-call.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { ConnectorType } from '../parts/use-connector-types.ts';
import { ConfigFields, type Wrong } from './config-field.tsx';
import type { ConfigField } from './config-schema.ts';
import { configScript } from './config-script.ts';
import { configOf, type Typed, typedConfig } from './config-values.ts';
import { isSeldom, isSet, isShown } from './shown-fields.ts';
import { openConfig, secretMask, secretPlaces, storedPlaces } from './stored-secrets.ts';
import { usePluginForm } from './use-plugin-form.ts';

export type Connector = components['schemas']['Connector'];
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
  /** `over`: the version that it replaces knowingly; default: that which the fields were filled from. */
  readonly save: (input: ConnectorInput, over?: Connector) => Promise<unknown>;
  /** Of a saved one: what to do where somebody else has saved since. */
  readonly conflict?: {
    read(signal: AbortSignal): Promise<Connector>;
    /** What is typed is thrown away for it. */
    onTake(theirs: Connector): void;
  };
  readonly test?: ConfigTest;
}

/** How what is typed now is tested; null while it is no configuration. */
interface ConfigTest {
  /** Below the fields. */
  view(config: Record<string, unknown> | null): ReactNode;
  /** Why it could not be tested as it is. */
  error(config: Record<string, unknown> | null): Error | null;
}

/** The settings of a connector, made of the schema of its type. */
export function ConnectorForm({ type, saved, save, conflict, test }: ConnectorFormProps): ReactNode {
  const { connectors } = useTexts();
  const [name, setName] = useState(saved?.name ?? '');
  const [description, setDescription] = useState(saved?.description ?? '');
  const [changes, setTyped] = useState<Typed>({});
  const plugin = changes['plugin'] ?? saved?.config['plugin'];
  const form = usePluginForm(type, typeof plugin === 'string' ? plugin : '');
  const { fields } = form;
  const typed: Typed = { ...(saved === null ? {} : typedConfig(fields, saved.config)), ...changes };
  const { config, problems } = configOf(fields, typed, saved?.config);
  const named = { name, description: description || null };
  const action = useMutation({
    mutationFn: (over?: Connector) => {
      // Secrets that somebody else has stored or removed since stay so.
      const sent = over === undefined ? config : configOf(fields, typed, over.config).config;
      return save({ ...named, type: type.type, config: sent }, over);
    },
    // What was typed into a secret's field is now a stored one.
    onSuccess: () => setTyped((now) => withoutSecrets(fields, now)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problems.length === 0) action.mutate(undefined);
  };
  const stored = placesOfStored(fields, typed, saved?.config ?? {});
  const tested = problems.length > 0 ? null : config;
  const wrong: Wrong = {
    ...wrongPlaces(fields, action.error ?? test?.error(tested) ?? null),
    ...Object.fromEntries(problems.map((place) => [place, [connectors.noJson]])),
  };
  const common = { typed, stored, wrong, onChange: setTyped };
  const shown = fields.filter((field) => isShown(field, fields, typed, stored));
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
      </div>
      <div className="config-fields">
        <ConfigFields {...common} fields={shown.filter((field) => !isSeldom(field))} />
      </div>
      {seldom.length > 0 && (
        <details open={seldom.some(({ key }) => isSet(key, typed) || isSet(key, wrong)) || undefined}>
          <summary>{connectors.more}</summary>
          <div className="config-fields">
            <ConfigFields {...common} fields={seldom} />
          </div>
        </details>
      )}
      {form.isPending && <p role="status">{connectors.askingPlugin}</p>}
      <FormProblem error={form.error} />
      {conflict === undefined ? (
        <FormProblem error={action.error} />
      ) : (
        <SaveProblem
          error={action.error}
          mine={{ ...named, config: openConfig(fields, config) }}
          read={async (signal) => {
            const theirs = await conflict.read(signal);
            return { ...theirs, config: openConfig(fields, theirs.config), saved: theirs };
          }}
          onKeep={({ saved: theirs }) => action.mutate(theirs)}
          onTake={({ saved: theirs }) => conflict.onTake(theirs)}
        />
      )}
      <div className="form-buttons">
        <button
          type="submit"
          className="button"
          disabled={action.isPending || form.isPending || problems.length > 0}
        >
          {saved === null ? connectors.create : connectors.save}
        </button>
        <span role="status" className="field-hint">
          {action.isSuccess && saved !== null && connectors.saved}
        </span>
        {test?.view(tested)}
      </div>
      {problems.length === 0 && name.trim() !== '' && (
        <ScriptSection
          subject={saved === null ? connectors.create : connectors.save}
          calls={[scriptOf({ ...named, type: type.type, config }, fields, saved)]}
          {...(stored.length > 0 && { note: connectors.keptInScript(secretMask) })}
        />
      )}
    </form>
  );
}

function scriptOf(
  input: ConnectorInput,
  fields: readonly ConfigField[],
  saved: Connector | null,
): ScriptCall {
  const { config, variables } = configScript(fields, input.config);
  const call = { body: { ...input, config }, variables };
  if (saved === null) return { method: 'POST', path: '/api/connectors', ...call };
  return { method: 'PUT', path: `/api/connectors/${saved.id}`, ...call };
}

function withoutSecrets(fields: readonly ConfigField[], typed: Typed): Typed {
  const groups = fields.flatMap(({ secretsKey }) => (secretsKey === null ? [] : [secretsKey]));
  const secrets = new Set([...secretPlaces(fields), ...groups]);
  return Object.fromEntries(Object.entries(typed).filter(([place]) => !secrets.has(place)));
}

/** Keys and places of the stored secrets, and the place of a group whose secrets are stored without their names. */
function placesOfStored(
  fields: readonly ConfigField[],
  typed: Typed,
  config: Readonly<Record<string, unknown>>,
): readonly string[] {
  const keys = Object.entries(config).flatMap(([key, value]) =>
    storedPlaces(value, key).length > 0 ? [key] : [],
  );
  const ofGroups = fields.flatMap(({ key, secretsKey }) => {
    if (secretsKey === null || typed[secretsKey] === null) return [];
    return config[secretsKey] === secretMask ? [`${key}/`] : storedPlaces(config[secretsKey], key);
  });
  return [...keys, ...ofGroups];
}

/** `config.auth.user` is the place `auth/user`; a secret of a group has its place in the group. */
function wrongPlaces(fields: readonly ConfigField[], error: Error | null): Wrong {
  if (!(error instanceof ApiError)) return {};
  const group = fields.find(({ secretsKey }) => secretsKey !== null);
  const wrong: Record<string, readonly string[]> = {};
  for (const { path, message } of error.details) {
    const place = path.replace(/^config\./, '').replaceAll('.', '/');
    const own =
      group !== undefined && place.startsWith(`${group.secretsKey}/`)
        ? place.replace(`${group.secretsKey}/`, `${group.key}/`)
        : place;
    // At its field it needs no name.
    wrong[own] = [...(wrong[own] ?? []), message.replace(/^"config[^"]*": /, '')];
  }
  return wrong;
}
