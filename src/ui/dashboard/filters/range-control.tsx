import { type ReactNode, useState } from 'react';
import { Problems } from '../../kit/text/problems.tsx';
import type { FilterControlProps } from './filter-props.ts';
import { useTyped } from './use-typed.ts';

const periods = {
  date_range: [
    'today',
    'yesterday',
    'last_7_days',
    'last_30_days',
    'last_90_days',
    'this_month',
    'last_month',
    'this_year',
  ],
  time_range: ['last_hour', 'last_6_hours', 'last_24_hours', 'last_7_days', 'last_30_days'],
} as const;

const custom = 'custom';

/** A period by its name, or from one day or moment to another. Moments are in UTC, as their control shows them. */
export function RangeControl({
  id,
  filter,
  text,
  words,
  onChoose,
}: FilterControlProps & { readonly id: string }): ReactNode {
  const [opened, setOpened] = useState(false);
  const [isReversed, setReversed] = useState(false);
  const known = periods[filter.type === 'time_range' ? 'time_range' : 'date_range'];
  const isPeriod = known.some((period) => period === text);
  const isCustom = (opened && !isPeriod) || text.includes('..');
  const [from = '', to = ''] = isCustom ? text.split('..') : [];
  const give = (ends: readonly [string, string]) => {
    const isWrong = ends[0] !== '' && ends[1] !== '' && ends[0] > ends[1];
    setReversed(isWrong);
    if (isWrong) return;
    onChoose(ends.join('..') === '..' ? '' : ends.join('..'));
  };
  return (
    <>
      <select
        id={id}
        className="field-box"
        value={isCustom ? custom : text}
        onChange={({ target }) => {
          setOpened(target.value === custom);
          onChoose(target.value === custom ? '' : target.value);
        }}
      >
        <option value="">{words.anyTime}</option>
        {known.map((period) => (
          <option key={period} value={period}>
            {words.periods[period]}
          </option>
        ))}
        <option value={custom}>{words.custom}</option>
      </select>
      {isCustom && (
        <span className="filter-ends">
          <End
            filter={filter}
            label={words.from(filter.label)}
            text={from}
            onChoose={(next) => give([next, to])}
          />
          <span aria-hidden="true">–</span>
          <End
            filter={filter}
            label={words.to(filter.label)}
            text={to}
            onChoose={(next) => give([from, next])}
          />
        </span>
      )}
      <Problems id={`${id}-problem`} problems={isCustom && isReversed ? [words.endsFirst] : []} />
    </>
  );
}

function End({
  filter,
  label,
  text,
  onChoose,
}: Pick<FilterControlProps, 'filter' | 'text' | 'onChoose'> & { readonly label: string }): ReactNode {
  const isTime = filter.type === 'time_range';
  const [typed, setTyped] = useTyped(isTime ? text.slice(0, 16) : text, (next) =>
    onChoose(isTime && next !== '' ? `${next}Z` : next),
  );
  return (
    <input
      className="field-box"
      type={isTime ? 'datetime-local' : 'date'}
      aria-label={label}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
