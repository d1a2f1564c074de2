import { type ReactNode, useId } from 'react';
import { Filter } from '../../../frame/records/filter.tsx';
import {
  type Column,
  type Condition,
  isUnread,
  operators,
  type RowView,
} from '../../../frame/row-view/row-view.ts';
import { exampleNumber } from '../../../kit/numbers/typed-number.ts';
import { Problems } from '../../../kit/text/problems.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';

interface ViewBarProps {
  /** All columns of the resource. */
  readonly known: readonly Column[];
  readonly view: RowView;
  onChange(view: RowView): void;
}

/** Which columns of a resource are shown, in which order its rows come, and which of them. */
export function ViewBar({ known, view, onChange }: ViewBarProps): ReactNode {
  const { connectors } = useTexts();
  const { rowView: texts } = connectors;
  const { sort = '', where = [] } = view;
  const columns = known.map(({ name }) => name);
  const shown = view.columns ?? columns;
  const named = columns.map((name) => [name, name] as const);
  const toggle = (name: string) => {
    const next = columns.filter((one) => (one === name ? !shown.includes(name) : shown.includes(one)));
    const { columns: _, ...rest } = view;
    onChange(next.length === 0 || next.length === columns.length ? rest : { ...rest, columns: next });
  };
  const setWhere = (next: readonly Condition[]) => onChange({ ...view, where: next });
  return (
    <details className="view-bar" open={Object.keys(view).length > 0 || undefined}>
      <summary>{texts.title}</summary>
      <fieldset className="view-columns">
        <legend>{texts.columns}</legend>
        {columns.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} /> {name}
          </label>
        ))}
      </fieldset>
      <div className="filters">
        <Filter
          label={texts.sort}
          any={texts.unsorted}
          options={columns.flatMap((name) => [
            [name, texts.ascending(name)] as const,
            [`-${name}`, texts.descending(name)] as const,
          ])}
          value={sort}
          onChange={(next) => onChange({ ...view, sort: next })}
        />
      </div>
      {where.map((condition, index) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same
          key={index}
          columns={named}
          condition={condition}
          isUnread={isUnread(condition, known)}
          onChange={(next) => setWhere(where.map((one, at) => (at === index ? next : one)))}
          onRemove={() => setWhere(where.filter((_, at) => at !== index))}
        />
      ))}
      <button
        type="button"
        className="text-button"
        disabled={columns.length === 0}
        onClick={() => setWhere([...where, { column: columns[0] ?? '', operator: 'eq', value: '' }])}
      >
        {texts.addCondition}
      </button>
    </details>
  );
}

interface ConditionRowProps {
  readonly columns: readonly (readonly [string, string])[];
  readonly condition: Condition;
  readonly isUnread: boolean;
  onChange(condition: Condition): void;
  onRemove(): void;
}

function ConditionRow({ columns, condition, isUnread, onChange, onRemove }: ConditionRowProps): ReactNode {
  const { connectors } = useTexts();
  const { rowView: texts } = connectors;
  const id = useId();
  const { column, operator, value } = condition;
  return (
    <div className="filters">
      <Filter
        label={texts.column}
        any={null}
        options={columns}
        value={column}
        onChange={(next) => onChange({ ...condition, column: next })}
      />
      <Filter
        label={texts.operator}
        any={null}
        options={operators.map((one) => [one, texts.operators[one]] as const)}
        value={operator}
        onChange={(next) => {
          const known = operators.find((one) => one === next);
          if (known !== undefined) onChange({ ...condition, operator: known });
        }}
      />
      {operator !== 'is_null' && (
        <div className="filter">
          <label htmlFor={id}>{texts.value}</label>
          <input
            id={id}
            className="field-box"
            value={value}
            aria-invalid={isUnread || undefined}
            aria-describedby={`${id}-problem`}
            onChange={({ target }) => onChange({ ...condition, value: target.value })}
          />
          <Problems id={`${id}-problem`} problems={isUnread ? [texts.notANumber(exampleNumber())] : []} />
        </div>
      )}
      <button
        type="button"
        className="text-button"
        aria-label={`${texts.remove}: ${column}`}
        onClick={onRemove}
      >
        {texts.remove}
      </button>
    </div>
  );
}
