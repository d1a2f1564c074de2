import { type ReactNode, useId, useState } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { isLabel } from './label-text.ts';

const charsMax = 301;

interface LabelFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** Among the filters of a list, or in a form. */
  readonly place: 'filter' | 'field';
  /** Each `name:value`, or `name`. */
  readonly value: readonly string[];
  onChange(value: readonly string[]): void;
}

/** Labels as chips, and a line to type the next one, which Enter or leaving the line adds. */
export function LabelField({ label, hint, place, value, onChange }: LabelFieldProps): ReactNode {
  const { jobs } = useTexts();
  const id = useId();
  const [text, setText] = useState('');
  const add = () => {
    const typed = text.trim();
    if (!isLabel(typed)) return;
    setText('');
    if (!value.includes(typed)) onChange([...value, typed]);
  };
  const name = <label htmlFor={id}>{label}</label>;
  return (
    <div className={place}>
      {place === 'field' ? <div className="field-label">{name}</div> : name}
      <div className="field-box combo-box label-box">
        <ul className="combo-chips">
          {value.map((one) => (
            <li key={one}>
              <span dir="auto" title={one}>
                {one}
              </span>
              <button
                type="button"
                aria-label={jobs.removeLabel(one)}
                onClick={() => onChange(value.filter((other) => other !== one))}
              >
                <Icon name="x" size={14} />
              </button>
            </li>
          ))}
        </ul>
        <input
          id={id}
          className="combo-input"
          autoComplete="off"
          spellCheck={false}
          maxLength={charsMax}
          placeholder={value.length === 0 ? jobs.labelExample : ''}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || text.trim() === '') return;
            event.preventDefault();
            add();
          }}
        />
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
