import { type HTMLInputAutoCompleteAttribute, type ReactNode, useEffect, useId, useRef } from 'react';
import { Problems } from '../../kit/text/problems.tsx';

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
  /** Why what was typed is refused; the first such field of a form takes the focus. */
  readonly problems?: readonly string[];
  readonly value: string;
  onChange(value: string): void;
  onBlur?(): void;
}

/** Of a name, as the API takes it. */
export const nameCharsMax = 200;

const noProblems: readonly string[] = [];

/** A labelled line of text. */
export function TextField(props: TextFieldProps): ReactNode {
  const { label, hint, autoFocus, problems = noProblems, onChange, ...input } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  const said = problems.join('\n');
  useEffect(() => {
    const { current } = field;
    if (said !== '' && current?.form?.querySelector('[aria-invalid="true"]') === current) current?.focus();
  }, [said]);
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(said === '' ? [] : [`${id}-problems`]),
  ];
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
        aria-invalid={said !== '' || undefined}
        aria-describedby={described.join(' ') || undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {said !== '' && <Problems id={`${id}-problems`} problems={problems} />}
    </div>
  );
}
