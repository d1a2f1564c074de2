import { type ReactNode, useId } from 'react';

interface SelectFieldProps<T extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly value: T;
  onChange(value: T): void;
}

/** One of a few, with its label above. */
export function SelectField<T extends string>(props: SelectFieldProps<T>): ReactNode {
  const { label, hint, options, value, onChange } = props;
  const id = useId();
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>{label}</label>
      </div>
      <select
        id={id}
        className="field-box"
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => {
          const chosen = options.find(([option]) => option === target.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
