import { type ReactNode, useId } from 'react';
import { OptionsCombobox } from '../../kit/combobox/options-combobox.tsx';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { Problems } from '../../kit/text/problems.tsx';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { useInputWords } from '../../texts/input-words.ts';
import type { PlacedProblems } from '../editor/problem-path.ts';
import { type MappingPart, type MappingParts, type MappingRow, rowsToSend } from './mapping-rows.ts';
import { TransformedBadge } from './mapping-view.tsx';

type Side = Exclude<MappingPart, 'transform'>;

interface MappingRowFieldsProps {
  readonly widgetId: string;
  readonly row: MappingRow;
  /** Its position among the rows, from 1. */
  readonly place: number;
  readonly count: number;
  readonly parts: MappingParts;
  /** All rows, which the options may depend on. */
  readonly draft: readonly MappingRow[];
  readonly transformed: boolean;
  readonly mappedTwice: boolean;
  readonly problems: PlacedProblems;
  idOf(part: string): string;
  onChange(part: MappingPart, value: string): void;
  /** By -1 or 1. */
  onMove(by: number): void;
  onRemove(): void;
}

/** One row of a mapping. */
export function MappingRowFields(props: MappingRowFieldsProps): ReactNode {
  const words = useInputWords();
  const { row, place, count, problems, idOf } = props;
  const ofRow = problems.get(`${row.id}.`) ?? [];
  return (
    <li className="mapping-row">
      <SideField {...props} side="source" label={words.mapping.sourceOf(place)} problems={problems} />
      <span className="mapping-arrow">
        <Icon name="arrow" />
      </span>
      <SideField {...props} side="target" label={words.mapping.targetOf(place)} problems={problems} />
      {props.parts.hasTransforms && <TransformField {...props} />}
      <div className="mapping-tools">
        {props.transformed && <TransformedBadge />}
        <Tool
          id={idOf('up')}
          icon="up"
          label={words.mapping.up(place)}
          idle={place === 1}
          onPress={() => props.onMove(-1)}
        />
        <Tool
          id={idOf('down')}
          icon="down"
          label={words.mapping.down(place)}
          idle={place === count}
          onPress={() => props.onMove(1)}
        />
        <Tool
          id={idOf('remove')}
          icon="trash"
          label={words.mapping.remove(place)}
          idle={false}
          onPress={props.onRemove}
        />
      </div>
      {ofRow.length > 0 && <Problems id={idOf('problems')} problems={ofRow} />}
    </li>
  );
}

interface SideFieldProps extends MappingRowFieldsProps {
  readonly side: Side;
  readonly label: string;
}

function SideField(props: SideFieldProps): ReactNode {
  const words = useInputWords();
  const { side, label, row, parts, widgetId, draft, mappedTwice, problems, idOf, onChange } = props;
  const { calls } = useWidgetHost();
  const problemId = useId();
  const search = parts[side];
  const value = row[side];
  const told = problems.get(`${row.id}.${side}`) ?? [];
  const hint = side === 'target' && mappedTwice ? words.mapping.twice(value) : null;
  const shared = { id: idOf(side), 'aria-describedby': problemId };
  return (
    <div className="mapping-side">
      <label htmlFor={idOf(side)} data-side={side}>
        <span className="visually-hidden">{label}</span>
        <span className="mapping-side-name" aria-hidden="true">
          {side === 'source' ? words.mapping.source : words.mapping.target}
        </span>
      </label>
      {search === null ? (
        <input
          {...shared}
          className="field-box"
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={value}
          aria-required
          aria-invalid={told.length > 0 || undefined}
          onChange={(event) => onChange(side, event.target.value)}
        />
      ) : (
        <OptionsCombobox
          id={shared.id}
          label={label}
          source={{
            kind: 'server',
            key: '',
            searchInPage: search === 'page',
            load: (request, signal) =>
              calls.options(widgetId, { side, value: rowsToSend(draft, parts), ...request }, signal),
          }}
          multiple={false}
          required
          value={value === '' ? [] : [value]}
          describedBy={problemId}
          invalid={told.length > 0}
          onChange={(next) => onChange(side, next[0] ?? '')}
        />
      )}
      <Problems id={problemId} problems={told} hint={hint} />
    </div>
  );
}

/** The expression of a row, which may be empty. */
function TransformField({ row, place, problems, idOf, onChange }: MappingRowFieldsProps): ReactNode {
  const words = useInputWords();
  const problemId = useId();
  const told = problems.get(`${row.id}.transform`) ?? [];
  return (
    <div className="mapping-side mapping-transform">
      <label htmlFor={idOf('transform')}>
        <span className="visually-hidden">{words.mapping.transformOf(place)}</span>
        <span className="mapping-side-name" aria-hidden="true">
          {words.mapping.transform}
        </span>
      </label>
      <input
        id={idOf('transform')}
        className="field-box"
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={row.transform}
        aria-describedby={problemId}
        aria-invalid={told.length > 0 || undefined}
        onChange={(event) => onChange('transform', event.target.value)}
      />
      <Problems id={problemId} problems={told} />
    </div>
  );
}

interface ToolProps {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** Has no effect, but stays focusable: at the ends, where a row cannot move further. */
  readonly idle: boolean;
  onPress(): void;
}

function Tool({ id, icon, label, idle, onPress }: ToolProps): ReactNode {
  return (
    <button
      id={id}
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      aria-disabled={idle || undefined}
      onClick={() => {
        if (!idle) onPress();
      }}
    >
      <Icon name={icon} size={15} />
    </button>
  );
}
