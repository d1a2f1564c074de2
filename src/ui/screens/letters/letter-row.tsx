import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { cellText, positionOf } from '../../frame/records/letter-text.ts';
import { When } from '../../frame/records/moments.tsx';
import { isRow, type Row } from '../../frame/records/row.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { wordOf } from '../../texts/word-of.ts';
import { CellField, JsonField } from './edit-fields.tsx';
import { changedColumns, editedRow, type RowEdit, rowOf } from './row-edit.ts';
import type { ShownLetter } from './settle.ts';

interface LetterRowProps {
  readonly letter: ShownLetter;
  readonly columns: readonly string[];
  readonly edit: RowEdit | null;
  readonly isPicked: boolean;
  readonly canSettle: boolean;
  onPick(isPicked: boolean): void;
  /** Null: the row stays as it was. */
  onEdit(edit: RowEdit | null): void;
}

/** One refused row: why, where it came from, and its cells, which can be typed into. */
export function LetterRow(props: LetterRowProps): ReactNode {
  const { letter, columns, edit, isPicked, canSettle, onPick, onEdit } = props;
  const { letters } = useTexts();
  const [focused, setFocused] = useState<string | null>(null);
  const row = rowOf(letter);
  const canEdit = canSettle && letter.status === 'open';
  const begin = (column: string | null) => {
    setFocused(column);
    onEdit(row === null ? { kind: 'json', text: '{}' } : { kind: 'cells', cells: {} });
  };
  return (
    <tr data-edited={edit !== null || undefined}>
      {canSettle && (
        <td className="letter-pick">
          <input
            type="checkbox"
            aria-label={letters.choose(letter.id)}
            disabled={!canEdit}
            checked={canEdit && isPicked}
            onChange={({ target }) => onPick(target.checked)}
          />
        </td>
      )}
      <td className="letter-reason">
        <Reason letter={letter} />
        {canEdit && (
          <EditButtons letter={letter} edit={edit} onBegin={() => begin(letter.column)} onEdit={onEdit} />
        )}
      </td>
      {edit?.kind === 'json' ? (
        <td colSpan={Math.max(1, columns.length)}>
          <JsonField letter={letter} text={edit.text} onChange={(text) => onEdit({ kind: 'json', text })} />
        </td>
      ) : (
        <Cells {...props} row={row} focused={focused} canEdit={canEdit && row !== null} onBegin={begin} />
      )}
    </tr>
  );
}

function Reason({ letter }: { readonly letter: ShownLetter }): ReactNode {
  const { run, letters } = useTexts();
  const { status, code, message, origin, run_id, replay_run_id, replay_of, created_at } = letter;
  const position = positionOf(run, origin);
  return (
    <>
      <p className="letter-message">{message}</p>
      <p className="record-facts">
        {[code, position].filter(Boolean).join(' · ')} ·{' '}
        <Link to="/runs/$id" params={{ id: String(run_id) }}>
          {run.replayRun(run_id)}
        </Link>{' '}
        · <When at={created_at} />
        {replay_of !== null && ` · ${letters.failedAgain}`}
      </p>
      {status !== 'open' && (
        <p className="record-facts">
          <span className="status">{wordOf(run.letterStates, status)}</span>{' '}
          {replay_run_id !== null && (
            <Link to="/runs/$id" params={{ id: String(replay_run_id) }}>
              {run.replayRun(replay_run_id)}
            </Link>
          )}
        </p>
      )}
    </>
  );
}

interface EditButtonsProps {
  readonly letter: ShownLetter;
  readonly edit: RowEdit | null;
  onBegin(): void;
  onEdit(edit: RowEdit | null): void;
}

function EditButtons({ letter, edit, onBegin, onEdit }: EditButtonsProps): ReactNode {
  const { letters } = useTexts();
  const { id } = letter;
  const row = rowOf(letter);
  if (edit === null)
    return (
      <button
        type="button"
        className="text-button"
        aria-label={`${letters.correct}: ${id}`}
        onClick={onBegin}
      >
        {letters.correct}
      </button>
    );
  const edited = editedRow(letter, edit);
  const toJson = () =>
    onEdit({ kind: 'json', text: JSON.stringify('row' in edited ? edited.row : (row ?? {}), null, 2) });
  return (
    <span className="letter-buttons">
      <button
        type="button"
        className="text-button"
        aria-label={`${letters.undo}: ${id}`}
        onClick={() => onEdit(null)}
      >
        {letters.undo}
      </button>
      {edit.kind === 'cells' && (
        <button
          type="button"
          className="text-button"
          aria-label={`${letters.asJson}: ${id}`}
          onClick={toJson}
        >
          {letters.asJson}
        </button>
      )}
    </span>
  );
}

interface CellsProps extends LetterRowProps {
  readonly row: Row | null;
  readonly focused: string | null;
  readonly canEdit: boolean;
  onBegin(column: string): void;
}

/** The cells as they are, or as fields; changed ones with what they were. */
function Cells({ letter, columns, row, edit, focused, canEdit, onBegin, onEdit }: CellsProps): ReactNode {
  if (row === null)
    return (
      <td colSpan={Math.max(1, columns.length)}>
        <pre className="letter-raw">{rawText(letter.item)}</pre>
      </td>
    );
  const cells = edit?.kind === 'cells' ? edit.cells : null;
  const after = cells === null ? replayedRow(letter, row) : afterOf(letter, edit, row);
  const changed = changedColumns(row, after);
  return columns.map((column) => (
    <td key={column} data-label={column} data-wrong={column === letter.column || undefined}>
      {cells === null ? (
        <CellText
          column={column}
          before={row[column]}
          after={after[column]}
          isChanged={changed.has(column)}
          onBegin={canEdit ? () => onBegin(column) : undefined}
        />
      ) : (
        <CellField
          label={`${column}, ${letter.id}`}
          before={row[column]}
          text={Object.hasOwn(cells, column) ? (cells[column] ?? null) : undefined}
          isChanged={changed.has(column)}
          autoFocus={column === focused}
          onChange={(text) => onEdit({ kind: 'cells', cells: { ...cells, [column]: text } })}
        />
      )}
    </td>
  ));
}

function afterOf(letter: ShownLetter, edit: RowEdit | null, row: Row): Row {
  const edited = edit === null ? { row } : editedRow(letter, edit);
  return 'row' in edited ? edited.row : row;
}

/** What was replayed in its place. */
function replayedRow({ replay_item }: ShownLetter, row: Row): Row {
  return isRow(replay_item) ? replay_item : row;
}

function rawText(item: unknown): string {
  return isRow(item) && typeof item['raw'] === 'string' ? item['raw'] : cellText(item);
}

interface CellTextProps {
  readonly column: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly isChanged: boolean;
  /** Left out where it cannot be corrected. */
  readonly onBegin?: (() => void) | undefined;
}

function CellText({ column, before, after, isChanged, onBegin }: CellTextProps): ReactNode {
  const { letters } = useTexts();
  if (isChanged)
    return (
      <>
        <ins>{cellText(after)}</ins> <del>{cellText(before)}</del>
      </>
    );
  if (onBegin === undefined) return <span className="cell-text">{cellText(before)}</span>;
  return (
    // The row's own button does the same for those who use the keyboard.
    <button
      type="button"
      className="cell-text"
      tabIndex={-1}
      title={letters.correctCell(column)}
      onClick={onBegin}
    >
      {cellText(before)}
    </button>
  );
}
