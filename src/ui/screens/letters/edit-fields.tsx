import { type ReactNode, useEffect, useId, useRef } from 'react';
import { cellText } from '../../frame/records/letter-text.ts';
import { isRow } from '../../frame/records/row.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { editedRow, typedText } from './row-edit.ts';
import type { ShownLetter } from './settle.ts';

/** As SQL says it, in every language. */
const nullText = 'NULL';

interface CellFieldProps {
  readonly label: string;
  /** The value that was refused. */
  readonly before: unknown;
  /** What was typed; null: no value. Left out: nothing yet. */
  readonly text: string | null | undefined;
  readonly isChanged: boolean;
  readonly autoFocus: boolean;
  onChange(text: string | null): void;
}

/** A cell to type into, with what it was where it is another now. */
export function CellField({
  label,
  before,
  text,
  isChanged,
  autoFocus,
  onChange,
}: CellFieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  const isNull = text === null;
  return (
    <span className="cell-field">
      <input
        ref={field}
        className="field-box"
        aria-label={label}
        placeholder={isNull ? nullText : undefined}
        value={isNull ? '' : (text ?? typedText(before))}
        onChange={({ target }) => onChange(target.value)}
      />
      {typeof before === 'string' && (
        <button
          type="button"
          className="text-button"
          aria-pressed={isNull}
          aria-label={`${nullText}: ${label}`}
          onClick={() => onChange(isNull ? before : null)}
        >
          {nullText}
        </button>
      )}
      {isChanged && <del>{cellText(before)}</del>}
    </span>
  );
}

interface JsonFieldProps {
  readonly letter: ShownLetter;
  readonly text: string;
  onChange(text: string): void;
}

/** The whole row as JSON: for a record that could not be read, and for other columns than it had. */
export function JsonField({ letter, text, onChange }: JsonFieldProps): ReactNode {
  const { letters } = useTexts();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const edited = editedRow(letter, { kind: 'json', text });
  const { item } = letter;
  return (
    <div className="json-field">
      <label htmlFor={id}>{letters.rowAsJson(letter.id)}</label>
      <textarea
        ref={field}
        id={id}
        className="field-box"
        rows={Math.min(14, Math.max(4, text.split('\n').length))}
        spellCheck={false}
        aria-invalid={'problem' in edited}
        aria-describedby={`${id}-problem`}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-problem`} className="form-problem">
        {'problem' in edited && (edited.problem === 'object' ? letters.noObject : edited.problem)}
      </p>
      {isRow(item) && typeof item['raw'] === 'string' && (
        <>
          <p className="field-hint">{letters.rawHint}</p>
          <pre className="letter-raw">{item['raw']}</pre>
        </>
      )}
    </div>
  );
}
