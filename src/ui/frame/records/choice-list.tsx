import { type ReactNode, useId } from 'react';

export interface ExplainedChoice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint: string;
}

interface ChoiceListProps<T extends string> {
  readonly legend: string;
  readonly choices: readonly ExplainedChoice<T>[];
  readonly value: T;
  onChange(value: T): void;
}

/** One of a few, each with what it means. */
export function ChoiceList<T extends string>(props: ChoiceListProps<T>): ReactNode {
  const { legend, choices, value, onChange } = props;
  const id = useId();
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={id}
            checked={choice.value === value}
            aria-describedby={`${id}-${choice.value}`}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <span className="choice-label">{choice.label}</span>
            <span id={`${id}-${choice.value}`} className="field-hint">
              {choice.hint}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
