import { type ReactNode, useId } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type ConfigField, type Typed, typedOf } from './config-values.ts';

export interface ConfigFieldsProps {
  readonly fields: readonly ConfigField[];
  readonly typed: Typed;
  /** Places of secrets that have a value; a group whose stored secrets have no names ends in `/`. */
  readonly stored: readonly string[];
  /** Places whose value was refused. */
  readonly wrong: readonly string[];
  readonly at?: string;
  onChange(typed: Typed): void;
}

/** The fields of a configuration, each with its help. */
export function ConfigFields({ fields, at = '', ...props }: ConfigFieldsProps): ReactNode {
  return fields.map((field) => (
    <Field key={field.key} {...props} field={field} place={`${at}${field.key}`} />
  ));
}

interface FieldProps extends Omit<ConfigFieldsProps, 'fields' | 'at'> {
  readonly field: ConfigField;
  readonly place: string;
}

function Field(props: FieldProps): ReactNode {
  const { field, place, typed, stored, wrong, onChange } = props;
  const id = useId();
  const { connectors } = useTexts();
  const variant = field.variants.find(({ name }) => name === chosenOf(field, typed[place]));
  const isOwn = field.kind === 'secret' && stored.includes(place) && typed[place] !== null;
  const isStored =
    isOwn || (field.kind === 'secret' && stored.some((one) => one.endsWith('/') && place.startsWith(one)));
  const set = (text: string | null) => onChange({ ...typed, [place]: text });
  if (field.kind === 'group') return <Group {...props} />;
  return (
    <>
      <div className="field config-field" data-kind={field.kind}>
        <div className="field-label">
          <label htmlFor={id}>
            {field.label}
            {field.required && <span className="config-required"> · {connectors.required}</span>}
          </label>
          {isOwn && (
            <button
              type="button"
              className="text-button"
              aria-label={`${connectors.removeSecret}: ${place}`}
              onClick={() => set(null)}
            >
              {connectors.removeSecret}
            </button>
          )}
        </div>
        <Input {...props} id={id} isStored={isStored} isWrong={wrong.includes(place)} onText={set} />
        <p id={`${id}-hint`} className="field-hint">
          <Help text={variant?.help || field.help} />
        </p>
      </div>
      {variant !== undefined && variant.fields.length > 0 && (
        <div className="config-variant">
          <ConfigFields
            fields={variant.fields}
            typed={typed}
            stored={stored}
            wrong={wrong}
            at={`${place}/`}
            onChange={onChange}
          />
        </div>
      )}
    </>
  );
}

/** The keys of an object, under its name. */
function Group({ field, place, ...props }: FieldProps): ReactNode {
  const { connectors } = useTexts();
  const { secretsKey } = field;
  const isStored = secretsKey !== null && props.stored.includes(`${place}/`);
  return (
    <fieldset className="config-group">
      <legend>{field.label}</legend>
      <p className="field-hint">
        <Help text={field.help} />
        {isStored && (
          <>
            {connectors.secretsTogether}{' '}
            <button
              type="button"
              className="text-button"
              onClick={() => props.onChange({ ...props.typed, [secretsKey]: null })}
            >
              {connectors.removeSecrets}
            </button>
          </>
        )}
      </p>
      <div className="config-fields">
        <ConfigFields {...props} fields={field.fields} at={`${place}/`} />
      </div>
    </fieldset>
  );
}

interface InputProps extends FieldProps {
  readonly id: string;
  readonly isStored: boolean;
  readonly isWrong: boolean;
  onText(text: string): void;
}

function Input({ id, field, place, typed, isStored, isWrong, onText }: InputProps): ReactNode {
  const { connectors } = useTexts();
  const { kind, required } = field;
  const common = {
    id,
    className: 'field-box',
    'aria-describedby': `${id}-hint`,
    'aria-invalid': isWrong || undefined,
    value: typed[place] ?? '',
  };
  const placeholder = field.example ?? (typedOf(field.default) || undefined);
  switch (kind) {
    case 'choice':
    case 'boolean':
    case 'variants':
      return (
        <select {...common} onChange={({ target }) => onText(target.value)}>
          <option value="">{defaultText(connectors, field)}</option>
          {optionsOf(field).map(([option, label]) => (
            <option key={option} value={option}>
              {kind === 'boolean' ? connectors.booleans[option as 'true' | 'false'] : label}
            </option>
          ))}
        </select>
      );
    case 'lines':
    case 'json':
      return (
        <textarea
          {...common}
          rows={kind === 'json' ? 4 : 2}
          spellCheck={false}
          placeholder={placeholder}
          onChange={({ target }) => onText(target.value)}
        />
      );
    case 'secret':
      return (
        <input
          {...common}
          type="password"
          autoComplete="new-password"
          placeholder={isStored ? connectors.secretStored : undefined}
          onChange={({ target }) => onText(target.value)}
        />
      );
    case 'text':
    case 'number':
      return (
        <input
          {...common}
          required={required}
          spellCheck={false}
          inputMode={kind === 'number' ? 'numeric' : undefined}
          placeholder={placeholder}
          onChange={({ target }) => onText(target.value)}
        />
      );
    case 'group':
      return null;
    default:
      return kind satisfies never;
  }
}

function optionsOf({ kind, choices, variants }: ConfigField): readonly (readonly [string, string])[] {
  if (kind === 'variants') return variants.map(({ name, label }) => [name, label]);
  return (kind === 'boolean' ? ['true', 'false'] : choices.map(String)).map((one) => [one, one]);
}

function chosenOf(field: ConfigField, typed: string | null | undefined): string {
  if (typed) return typed;
  const byDefault = field.default;
  const { discriminator } = field;
  return typeof byDefault === 'object' && byDefault !== null && discriminator in byDefault
    ? String((byDefault as Record<string, unknown>)[discriminator])
    : '';
}

function defaultText(texts: ReturnType<typeof useTexts>['connectors'], field: ConfigField): string {
  const chosen = field.kind === 'variants' ? chosenOf(field, null) : typedOf(field.default);
  if (chosen === '') return texts.notSet;
  return texts.byDefault(field.kind === 'boolean' ? texts.booleans[chosen as 'true' | 'false'] : chosen);
}

/** A description with its code words. */
function Help({ text }: { readonly text: string }): ReactNode {
  return text
    .split('`')
    .map((part, index) => ({ part, key: `${index} ${part}`, isCode: index % 2 === 1 }))
    .map(({ part, key, isCode }) => (isCode ? <code key={key}>{part}</code> : part));
}
