import { type ReactNode, useState } from 'react';
import type { OptionsPage, OptionsRequest } from '../../api/widget-calls.ts';
import { OptionsCombobox } from '../../kit/combobox/options-combobox.tsx';
import type { OptionSource } from '../../kit/combobox/use-options.ts';
import { typedNumber } from '../../kit/numbers/typed-number.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { type FormField, type FormValues, fitsNativeList, typedValue } from './form-schema.ts';

/** A field of a form with its value and the problems with it. */
export interface FieldInputProps {
  readonly field: FormField;
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly problems: readonly string[];
  /** Whether the value differs from the saved one. */
  readonly changed: boolean;
  /** Id of its control, for links from the summary of problems. */
  readonly controlId: string;
  loadOptions(request: OptionsRequest, signal: AbortSignal): Promise<OptionsPage>;
  onChange(value: unknown): void;
  onLeave?(): void;
}

interface FieldControlProps extends FieldInputProps {
  readonly describedBy: string;
  /** What to do before there are options. */
  readonly hint: string | null;
}

/** The control for a field's type. */
export function FieldControl(props: FieldControlProps): ReactNode {
  switch (props.field.type) {
    case 'text':
      return <TextControl {...props} />;
    case 'number':
      return <NumberControl {...props} />;
    case 'boolean':
      return <SwitchControl {...props} />;
    case 'select':
    case 'multi_select':
      return fitsNativeList(props.field) && matchMedia('(pointer: coarse)').matches ? (
        <NativeControl {...props} />
      ) : (
        <ChoiceControl {...props} />
      );
    default:
      return props.field.type satisfies never;
  }
}

/** Props of every control. */
function controlProps({ controlId, problems, describedBy, onLeave }: FieldControlProps) {
  return {
    id: controlId,
    'aria-invalid': problems.length > 0 || undefined,
    'aria-describedby': describedBy,
    onBlur: onLeave,
  };
}

/** Props of every control in a box. */
function boxProps(props: FieldControlProps) {
  return { ...controlProps(props), className: 'field-box', 'aria-required': props.field.required };
}

const inputTypes = { email: 'email', url: 'url' } as const;

function TextControl(props: FieldControlProps): ReactNode {
  const { field, values, onChange } = props;
  return (
    <input
      {...boxProps(props)}
      type={field.format ? inputTypes[field.format] : 'text'}
      autoComplete="off"
      spellCheck={field.format ? false : undefined}
      autoCapitalize={field.format ? 'none' : undefined}
      placeholder={placeholderOf(field)}
      value={String(values[field.key] ?? '')}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Shown in an empty field. A default is none: what is empty is saved as empty, and runs read nothing. */
function placeholderOf({ format }: FormField): string | undefined {
  return format === 'url' ? 'https://' : undefined;
}

/** Not `type="number"`: that discards text it cannot parse, and changes with the mouse wheel. */
function NumberControl(props: FieldControlProps): ReactNode {
  const { field, values, onChange, onLeave } = props;
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      {...boxProps(props)}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      value={typed ?? numberText(values[field.key])}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(typedValue(event.target.value));
      }}
      onBlur={() => {
        setTyped(null);
        onLeave?.();
      }}
    />
  );
}

/** Digits as the page writes them; anything else as it was typed. */
function numberText(value: unknown): string {
  if (typeof value === 'number') return typedNumber(value);
  return typeof value === 'string' ? value : '';
}

function SwitchControl(props: FieldControlProps): ReactNode {
  const words = useInputWords();
  const { field, values, onChange } = props;
  const on = values[field.key] === true;
  return (
    <span className="switch">
      <input
        {...controlProps(props)}
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span aria-hidden="true">{on ? words.on : words.off}</span>
    </span>
  );
}

/** For a few options on a touch screen, where the native list is better. */
function NativeControl(props: FieldControlProps): ReactNode {
  const words = useInputWords();
  const { field, values, onChange } = props;
  const value = String(values[field.key] ?? '');
  const options = field.options ?? [];
  const known = value === '' || options.some((option) => option.value === value);
  return (
    <select {...boxProps(props)} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{field.required ? words.choose : words.none}</option>
      {!known && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function ChoiceControl(props: FieldControlProps): ReactNode {
  const { field, values, problems, hint, onChange } = props;
  const multiple = field.type === 'multi_select';
  const value = values[field.key];
  const chosen = Array.isArray(value)
    ? value.map(String)
    : typeof value === 'string' && value !== ''
      ? [value]
      : [];
  const refused = new Set(chosen.filter((item) => problems.some((problem) => problem.includes(`"${item}"`))));
  return (
    <OptionsCombobox
      id={props.controlId}
      label={field.label}
      source={sourceOf(props)}
      multiple={multiple}
      required={field.required}
      value={chosen}
      emptyText={hint ?? undefined}
      describedBy={props.describedBy}
      invalid={problems.length > 0}
      refused={refused}
      onChange={(next) => onChange(multiple ? next : (next[0] ?? ''))}
      {...(props.onLeave && { onLeave: props.onLeave })}
    />
  );
}

function sourceOf({ field, values, loadOptions }: FieldControlProps): OptionSource {
  if (field.options !== null) return { kind: 'inline', options: field.options };
  return {
    kind: 'server',
    key: JSON.stringify(field.dependsOn.map((key) => values[key] ?? null)),
    searchInPage: field.search === 'page',
    load: (request, signal) => loadOptions({ side: field.key, value: values, ...request }, signal),
  };
}
