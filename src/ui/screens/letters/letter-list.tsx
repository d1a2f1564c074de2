import { type ReactNode, useState } from 'react';
import { useMay } from '../../frame/session/role.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { LetterTable } from './letter-table.tsx';
import { type ShownLetter, settlementsOf, spoiltEdits } from './settle.ts';
import { type SettleAsked, SettleDialog } from './settle-dialog.tsx';
import { useRowEdits } from './use-row-edits.ts';

interface LetterListProps {
  readonly letters: readonly ShownLetter[];
  onSettled(runs: readonly number[]): void;
}

/** Letters by the step that refused them, and what is done with those that are chosen. A row that is corrected is chosen. */
export function LetterList({ letters, onSettled }: LetterListProps): ReactNode {
  const may = useMay('operator');
  const { edits, set, drop } = useRowEdits();
  const [picked, setPicked] = useState<ReadonlySet<number>>(() => new Set(Object.keys(edits).map(Number)));
  const [asked, setAsked] = useState<SettleAsked | null>(null);
  const chosen = letters.filter(({ id, status }) => status === 'open' && picked.has(id));
  const ids = chosen.map(({ id }) => id);
  const pick = (some: readonly number[], isPicked: boolean) =>
    setPicked((now) => new Set(isPicked ? [...now, ...some] : [...now].filter((id) => !some.includes(id))));
  const corrected = ids.filter((id) => edits[id] !== undefined).length;
  const ask = (way: SettleAsked['way']) =>
    setAsked({ way, settlements: settlementsOf(chosen, edits), rows: ids.length, corrected });
  return (
    <>
      {[...byStep(letters)].map(([step, own]) => (
        <LetterTable
          key={step}
          letters={own}
          edits={edits}
          picked={picked}
          canSettle={may}
          onPick={pick}
          onEdit={(id, edit) => {
            if (edit === null) drop([id]);
            else set(id, edit);
            pick([id], edit !== null);
          }}
        />
      ))}
      {may && ids.length > 0 && (
        <SettleBar
          chosen={chosen}
          corrected={corrected}
          spoilt={spoiltEdits(chosen, edits).length}
          onAsk={ask}
        />
      )}
      {asked !== null && (
        <SettleDialog
          asked={asked}
          onSettled={(runs) => {
            drop(ids);
            setPicked(new Set());
            onSettled(runs);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

function byStep(letters: readonly ShownLetter[]): ReadonlyMap<string, readonly ShownLetter[]> {
  const groups = new Map<string, ShownLetter[]>();
  for (const letter of letters) {
    const step = JSON.stringify([letter.job_id, letter.run_task_name, letter.task, letter.step_id]);
    const group = groups.get(step);
    if (group === undefined) groups.set(step, [letter]);
    else group.push(letter);
  }
  return groups;
}

interface SettleBarProps {
  readonly chosen: readonly ShownLetter[];
  readonly corrected: number;
  /** How many corrections are no row yet. */
  readonly spoilt: number;
  onAsk(way: SettleAsked['way']): void;
}

function SettleBar({ chosen, corrected, spoilt, onAsk }: SettleBarProps): ReactNode {
  const { letters } = useTexts();
  return (
    <div className="settle-bar">
      <p role="status">
        {letters.chosen(chosen.length, corrected)}
        {spoilt > 0 && <span className="settle-problem"> {letters.spoilt(spoilt)}</span>}
      </p>
      <button type="button" className="button" data-style="secondary" onClick={() => onAsk('discard')}>
        {letters.discard}
      </button>
      <button type="button" className="button" disabled={spoilt > 0} onClick={() => onAsk('replay')}>
        {letters.replayRows(chosen.length)}
      </button>
    </div>
  );
}
