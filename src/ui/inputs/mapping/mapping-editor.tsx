import { type ReactNode, useId, useState } from 'react';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Icon } from '../../kit/icon.tsx';
import { objectOf } from '../../kit/widget/widget-config.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { type PlacedProblems, placeProblems, withoutPlace } from '../editor/problem-path.ts';
import { ProblemSummary } from '../editor/problem-summary.tsx';
import { SaveBar } from '../editor/save-bar.tsx';
import { type Editor, useEditor } from '../editor/use-editor.ts';
import { MappingList } from './mapping-list.tsx';
import {
  isSameMapping,
  type MappingPart,
  type MappingParts,
  type MappingRow,
  readMapping,
  rowsToSend,
} from './mapping-rows.ts';
import { useMappingEdits } from './use-mapping-edits.ts';

const rowsMax = 1000;
const noProblems: PlacedProblems = new Map();

interface MappingEditorProps {
  readonly widgetId: string;
  readonly title: string;
  readonly parts: MappingParts;
}

/** Editable rows that are saved together. */
export function MappingEditor({ widgetId, title, parts }: MappingEditorProps): ReactNode {
  const words = useInputWords();
  const id = useId();
  const [refused, setRefused] = useState(noProblems);
  const [summary, setSummary] = useState(noProblems);
  const editor = useMappingEditor(widgetId, parts, (problems) => {
    setRefused(problems);
    setSummary(problems);
  });
  const rows = editor.value;
  const idOf = (row: MappingRow | null, part: string) => `${id}-${row === null ? '' : `${row.id}-`}${part}`;
  const edits = useMappingEdits(editor, idOf);
  const clear = () => {
    setRefused(noProblems);
    setSummary(noProblems);
  };
  return (
    <form
      noValidate
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        if (editor.draft === null || editor.outdated) return;
        clear();
        void editor.save();
      }}
    >
      <MappingSummary problems={summary} refused={refused} rows={rows} idOf={idOf} />
      {rows.length === 0 ? (
        <EmptyState>{words.mapping.noneYet}</EmptyState>
      ) : (
        <MappingList
          widgetId={widgetId}
          parts={parts}
          rows={rows}
          problems={refused}
          edits={edits}
          idOf={idOf}
          onChanged={(row, part) =>
            setRefused((was) => withoutPlace(withoutPlace(was, `${row.id}.${part}`), `${row.id}.`))
          }
          onRemoved={(row) => setSummary((was) => withoutRow(was, row))}
        />
      )}
      <p>
        <button
          id={idOf(null, 'add')}
          type="button"
          className="text-button"
          disabled={rows.length >= rowsMax}
          onClick={edits.add}
        >
          <Icon name="plus" size={14} /> {words.mapping.add}
        </button>
      </p>
      <p className="visually-hidden" role="status">
        {edits.said}
      </p>
      <SaveBar
        editor={editor}
        label={words.save}
        onDiscard={() => {
          clear();
          editor.discard();
        }}
      />
    </form>
  );
}

function withoutRow(problems: PlacedProblems, row: MappingRow): PlacedProblems {
  return ['source', 'target', 'transform', ''].reduce(
    (kept, part) => withoutPlace(kept, `${row.id}.${part}`),
    problems,
  );
}

interface MappingSummaryProps {
  readonly problems: PlacedProblems;
  /** Those of places that have not been edited since. */
  readonly refused: PlacedProblems;
  readonly rows: readonly MappingRow[];
  idOf(row: MappingRow, part: string): string;
}

/** The problems of the last attempt to save, with the current positions of their rows. */
function MappingSummary({ problems, refused, rows, idOf }: MappingSummaryProps): ReactNode {
  const words = useInputWords();
  return (
    <ProblemSummary
      problems={problems}
      isOpen={(place) => refused.has(place)}
      controlOf={(place) => {
        const row = rowAt(place, rows);
        return row === undefined ? null : idOf(row, place.split('.')[1] || 'source');
      }}
      prefixOf={(place) => {
        const row = rowAt(place, rows);
        return row === undefined ? '' : words.mapping.row(rows.indexOf(row) + 1);
      }}
    />
  );
}

function rowAt(place: string, rows: readonly MappingRow[]): MappingRow | undefined {
  return place === '' ? undefined : rows.find((row) => row.id === Number(place.split('.')[0]));
}

/** The place of a problem: `<row id>.source`, `<row id>.target`, `<row id>.transform`, `<row id>.`, or null for the whole mapping. */
function placeIn(sent: readonly MappingRow[], path: readonly (string | number)[]): string | null {
  const row = typeof path[1] === 'number' ? sent[path[1]] : undefined;
  if (row === undefined) return null;
  return `${row.id}.${partOf(path[2])}`;
}

function partOf(key: string | number | undefined): MappingPart | '' {
  if (key === 'source_field') return 'source';
  if (key === 'target_field') return 'target';
  return key === 'transform' ? 'transform' : '';
}

function useMappingEditor(
  widgetId: string,
  parts: MappingParts,
  onRefused: (problems: PlacedProblems) => void,
): Editor<readonly MappingRow[]> {
  return useEditor<readonly MappingRow[]>({
    widgetId,
    saved: { value: parts.rows, version: parts.version },
    same: isSameMapping,
    toSend: (rows) => rowsToSend(rows, parts),
    readSaved: (data) => {
      const { rows, version } = readMapping(data);
      return { value: rows, version };
    },
    withSaved: (data, answer) => ({
      ...objectOf<object>(data, 'a field mapping'),
      rows: answer.value,
      version: answer.version,
    }),
    onProblems: (problems, sent) => onRefused(placeProblems(problems, (path) => placeIn(sent, path))),
  });
}
