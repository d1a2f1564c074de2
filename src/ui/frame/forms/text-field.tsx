import { type HTMLInputAutoCompleteAttribute, type ReactNode, useEffect, useId, useRef } from 'react';

interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'text' | 'email' | 'password' | 'datetime-local' | 'date' | 'number';
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly inputMode?: 'text' | 'numeric';
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Of a number. */
  readonly min?: number;
  readonly max?: number;
  /** Takes the focus when it appears: for a form that the user has just asked for. */
  readonly autoFocus?: boolean;
  readonly value: string;
  onChange(value: string): void;
  onBlur?(): void;
}

/** Of a name, as the API takes it. */
export const nameCharsMax = 200;

/** A labelled line of text. */
export function TextField({ label, hint, autoFocus, onChange, ...input }: TextFieldProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>{label}</label>
      </div>
      <input
        {...input}
        ref={field}
        id={id}
        className="field-box"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
