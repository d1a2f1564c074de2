import { type ReactNode, useState } from 'react';
import type { OptionsPage, OptionsRequest } from '../../api/widget-calls.ts';
import { OptionsCombobox } from '../../kit/combobox/options-combobox.tsx';
import type { OptionSource } from '../../kit/combobox/use-options.ts';
import { type FormField, type FormValues, fitsNativeList, readNumber } from './form-schema.ts';

/** A field of a form, with what stands in it and what is wrong with that. */
export interface FieldInputProps {
  readonly field: FormField;
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly problems: readonly string[];
  /** Whether it says something else than what is saved. */
  readonly changed: boolean;
  /** Id of its control, so that a summary of problems can lead there. */
  readonly controlId: string;
  loadOptions(request: OptionsRequest, signal: AbortSignal): Promise<OptionsPage>;
  onChange(value: unknown): void;
  onLeave?(): void;
}

interface FieldControlProps extends FieldInputProps {
  readonly describedBy: string;
  /** What must be done before there is anything to choose. */
  readonly hint: string | null;
}

/** The control of a field's type. */
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

/** What every control has: its place in the form, and what is wrong with it. */
function controlProps({ controlId, problems, describedBy, onLeave }: FieldControlProps) {
  return {
    id: controlId,
    'aria-invalid': problems.length > 0 || undefined,
    'aria-describedby': describedBy,
    onBlur: onLeave,
  };
}

/** Those of a control in a box. */
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

/** What the field is meant to hold, where it holds nothing. */
function placeholderOf({ default: usual, format }: FormField): string | undefined {
  if (typeof usual === 'string' || typeof usual === 'number') return String(usual);
  return format === 'url' ? 'https://' : undefined;
}

/** Not of a number's own input type: that drops what it cannot read, and changes with the wheel. */
function NumberControl(props: FieldControlProps): ReactNode {
  const { field, values, onChange, onLeave } = props;
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      {...boxProps(props)}
      type="text"
      inputMode="decimal"
      placeholder={placeholderOf(field)}
      autoComplete="off"
      spellCheck={false}
      value={typed ?? String(values[field.key] ?? '')}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(readNumber(event.target.value));
      }}
      onBlur={() => {
        setTyped(null);
        onLeave?.();
      }}
    />
  );
}

function SwitchControl(props: FieldControlProps): ReactNode {
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
      <span aria-hidden="true">{on ? 'On' : 'Off'}</span>
    </span>
  );
}

/** Few options on a touch screen: its own list is the better one. */
function NativeControl(props: FieldControlProps): ReactNode {
  const { field, values, onChange } = props;
  const value = String(values[field.key] ?? '');
  const options = field.options ?? [];
  const known = value === '' || options.some((option) => option.value === value);
  return (
    <select {...boxProps(props)} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{field.required ? 'Choose…' : 'None'}</option>
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
