import type { ReactNode } from 'react';
import { useInputWords } from '../../texts/input-words.ts';
import type { PlacedProblems } from '../editor/problem-path.ts';
import { MappingRowFields } from './mapping-row-fields.tsx';
import {
  duplicateTargets,
  type MappingPart,
  type MappingParts,
  type MappingRow,
  pairOf,
} from './mapping-rows.ts';
import type { MappingEdits } from './use-mapping-edits.ts';

interface MappingListProps {
  readonly widgetId: string;
  readonly parts: MappingParts;
  readonly rows: readonly MappingRow[];
  readonly problems: PlacedProblems;
  readonly edits: MappingEdits;
  idOf(row: MappingRow, part: string): string;
  onChanged(row: MappingRow, part: MappingPart): void;
  onRemoved(row: MappingRow): void;
}

/** The rows of a mapping, with column headers if there is room. */
export function MappingList(props: MappingListProps): ReactNode {
  const words = useInputWords();
  const { widgetId, parts, rows, problems, edits, idOf } = props;
  const twice = duplicateTargets(rows);
  return (
    <ol className="mapping" data-transforms={parts.hasTransforms || undefined}>
      <li className="mapping-head" aria-hidden="true">
        <span>{words.mapping.source}</span>
        <span>{words.mapping.target}</span>
        {parts.hasTransforms && <span>{words.mapping.transform}</span>}
      </li>
      {rows.map((row, at) => (
        <MappingRowFields
          key={row.id}
          widgetId={widgetId}
          row={row}
          place={at + 1}
          count={rows.length}
          parts={parts}
          draft={rows}
          transformed={!parts.hasTransforms && parts.transformed.has(pairOf(row.source, row.target))}
          mappedTwice={twice.has(row.target)}
          problems={problems}
          idOf={(part) => idOf(row, part)}
          onChange={(part, value) => {
            props.onChanged(row, part);
            edits.change(row, part, value);
          }}
          onMove={(by) => edits.move(row, by)}
          onRemove={() => {
            props.onRemoved(row);
            edits.remove(row);
          }}
        />
      ))}
    </ol>
  );
}
