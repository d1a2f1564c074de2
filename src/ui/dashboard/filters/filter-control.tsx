import { type ReactNode, useId, useState } from 'react';
import { exampleNumber, readNumber, typedNumber } from '../../kit/numbers/typed-number.ts';
import { Problems } from '../../kit/text/problems.tsx';
import type { FilterControlProps } from './filter-props.ts';
import { RangeControl } from './range-control.tsx';
import { useFilterOptions } from './use-filter-options.ts';
import { useTyped } from './use-typed.ts';

/** One filter with its label. */
export function FilterControl(props: FilterControlProps): ReactNode {
  const { filter } = props;
  const id = useId();
  return (
    <div className="filter" data-type={filter.type}>
      <label htmlFor={id}>{filter.label}</label>
      {filter.type === 'select' ? (
        <SelectControl id={id} {...props} />
      ) : filter.type === 'date_range' || filter.type === 'time_range' ? (
        <RangeControl id={id} {...props} />
      ) : filter.type === 'number' ? (
        <NumberControl id={id} {...props} />
      ) : (
        <TextControl id={id} {...props} />
      )}
    </div>
  );
}

type ControlProps = FilterControlProps & { readonly id: string };

function SelectControl({ id, filter, text, words, onChoose }: ControlProps): ReactNode {
  const read = useFilterOptions(filter);
  const options = filter.options ?? read ?? [];
  // What the address says is shown, also before its choices are there.
  const known = text === '' || options.some(({ value }) => value === text);
  return (
    <select id={id} className="field-box" value={text} onChange={(event) => onChoose(event.target.value)}>
      <option value="">{words.all}</option>
      {!known && <option value={text}>{text}</option>}
      {options.map(({ label, value }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

function TextControl({ id, text, words, onChoose }: ControlProps): ReactNode {
  const [typed, setTyped] = useTyped(text, onChoose);
  return (
    <input
      id={id}
      className="field-box"
      type="text"
      autoComplete="off"
      maxLength={200}
      placeholder={words.contains}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

/** What is not a number is not applied, and the control says so. */
function NumberControl({ id, text, words, onChoose }: ControlProps): ReactNode {
  const [isWrong, setWrong] = useState(false);
  const [typed, setTyped] = useTyped(typedNumber(text), (next) => {
    const read = readNumber(next);
    setWrong(read.kind === 'wrong');
    if (read.kind === 'number') onChoose(String(read.value ?? ''));
  });
  return (
    <>
      <input
        id={id}
        className="field-box"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        maxLength={200}
        placeholder={words.contains}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-problem`}
        value={typed}
        onChange={(event) => {
          setWrong(false);
          setTyped(event.target.value);
        }}
      />
      <Problems id={`${id}-problem`} problems={isWrong ? [words.notANumber(exampleNumber())] : []} />
    </>
  );
}
