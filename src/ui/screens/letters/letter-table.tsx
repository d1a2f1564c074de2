import { type ReactNode, useId } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { LetterRow } from './letter-row.tsx';
import { columnsOf, type RowEdit } from './row-edit.ts';
import type { ShownLetter } from './settle.ts';
import type { RowEdits } from './use-row-edits.ts';

interface LetterTableProps {
  /** Of one step. */
  readonly letters: readonly ShownLetter[];
  readonly edits: RowEdits;
  readonly picked: ReadonlySet<number>;
  readonly canSettle: boolean;
  onPick(ids: readonly number[], isPicked: boolean): void;
  onEdit(id: number, edit: RowEdit | null): void;
}

/** The rows that one step refused, with the columns that they have. */
export function LetterTable(props: LetterTableProps): ReactNode {
  const { letters, edits, picked, canSettle, onPick, onEdit } = props;
  const id = useId();
  const { letters: texts, run } = useTexts();
  const [first] = letters;
  if (first === undefined) return null;
  const columns = columnsOf(letters);
  const open = letters.flatMap((letter) => (letter.status === 'open' ? [letter.id] : []));
  const isAll = open.length > 0 && open.every((one) => picked.has(one));
  const step = [first.job_name, first.run_task_name, first.task, first.step_id].filter(Boolean).join(' · ');
  return (
    <section className="letter-group" aria-labelledby={id}>
      <h3 id={id}>{step}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where there are many columns */}
      <section className="scroller" aria-labelledby={id} tabIndex={0}>
        <table className="list letter-table">
          <thead>
            <tr>
              {canSettle && (
                <th scope="col">
                  <input
                    type="checkbox"
                    aria-label={texts.chooseAll}
                    disabled={open.length === 0}
                    checked={isAll}
                    onChange={() => onPick(open, !isAll)}
                  />
                </th>
              )}
              <th scope="col">{texts.reason}</th>
              {columns.length === 0 && <th scope="col">{run.values}</th>}
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {letters.map((letter) => (
              <LetterRow
                key={letter.id}
                letter={letter}
                columns={columns}
                edit={edits[letter.id] ?? null}
                isPicked={picked.has(letter.id)}
                canSettle={canSettle}
                onPick={(isPicked) => onPick([letter.id], isPicked)}
                onEdit={(edit) => onEdit(letter.id, edit)}
              />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
