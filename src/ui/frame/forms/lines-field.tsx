import { type ReactNode, useId } from 'react';

interface LinesFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly required?: boolean;
  readonly value: string;
  onChange(value: string): void;
}

/** A labelled text of several lines. */
export function LinesField({ label, hint, onChange, ...area }: LinesFieldProps): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>{label}</label>
      </div>
      <textarea
        {...area}
        id={id}
        className="field-box"
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className="field-hint">
        {hint}
      </p>
    </div>
  );
}
