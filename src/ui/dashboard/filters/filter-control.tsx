import { type ReactNode, useId } from 'react';
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

function TextControl({ id, filter, text, words, onChoose }: ControlProps): ReactNode {
  const isNumber = filter.type === 'number';
  const [typed, setTyped] = useTyped(text, (next) => {
    if (!isNumber || next === '' || Number.isFinite(Number(next))) onChoose(next);
  });
  return (
    <input
      id={id}
      className="field-box"
      type="text"
      inputMode={isNumber ? 'decimal' : undefined}
      autoComplete="off"
      maxLength={200}
      placeholder={words.contains}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
