import { type ReactNode, useId } from 'react';
import { Problems } from '../../../kit/text/problems.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { ConfigInput } from './config-input.tsx';
import type { ConfigField } from './config-schema.ts';
import type { Typed } from './config-values.ts';
import { chosenOf } from './shown-fields.ts';

/** Why values were refused, by their places. */
export type Wrong = Readonly<Record<string, readonly string[]>>;

export interface ConfigFieldsProps {
  readonly fields: readonly ConfigField[];
  readonly typed: Typed;
  /** Places of secrets that have a value; a group whose stored secrets have no names ends in `/`. */
  readonly stored: readonly string[];
  readonly wrong: Wrong;
  readonly at?: string;
  /** Of the keys of an object that may be left out: whether it has any. Default: true. */
  readonly isNeeded?: boolean;
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
  const { field, place, typed, stored, wrong, isNeeded = true, onChange } = props;
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
            {field.required && isNeeded && <span className="config-required"> · {connectors.required}</span>}
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
        <ConfigInput
          id={id}
          field={field}
          text={typed[place] ?? ''}
          isNeeded={field.required && isNeeded}
          isStored={isStored}
          isWrong={place in wrong}
          onText={set}
        />
        <Problems id={`${id}-problems`} problems={wrong[place] ?? []} />
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
function Group({ field, place, isNeeded = true, ...props }: FieldProps): ReactNode {
  const { connectors } = useTexts();
  const id = useId();
  const { secretsKey } = field;
  const isStored = secretsKey !== null && props.stored.includes(`${place}/`);
  const has = [...Object.entries(props.typed), ...props.stored.map((one) => [one, one] as const)].some(
    ([one, text]) => one.startsWith(`${place}/`) && Boolean(text),
  );
  return (
    <fieldset className="config-group" aria-describedby={`${id}-problems`}>
      <legend>{field.label}</legend>
      <Problems id={`${id}-problems`} problems={props.wrong[place] ?? []} />
      <p className="field-hint" hidden={field.help === '' && !isStored}>
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
        <ConfigFields
          {...props}
          fields={field.fields}
          isNeeded={isNeeded && (field.required || field.only !== null || secretsKey !== null || has)}
          at={`${place}/`}
        />
      </div>
    </fieldset>
  );
}

/** A description with its code words. */
function Help({ text }: { readonly text: string }): ReactNode {
  return text
    .split('`')
    .map((part, index) => ({ part, key: `${index} ${part}`, isCode: index % 2 === 1 }))
    .map(({ part, key, isCode }) => (isCode ? <code key={key}>{part}</code> : part));
}
