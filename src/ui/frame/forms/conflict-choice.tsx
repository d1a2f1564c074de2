import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';

interface ConflictChoiceProps {
  onKeep(): void;
  onTake(): void;
}

/** The choice where somebody else has saved since: what is typed here, or what was saved. */
export function ConflictChoice({ onKeep, onTake }: ConflictChoiceProps): ReactNode {
  const { editor } = useTexts();
  return (
    <div className="form-buttons">
      <button type="button" className="button" onClick={onKeep}>
        {editor.keepMine}
      </button>
      <button type="button" className="button" data-style="secondary" onClick={onTake}>
        {editor.takeTheirs}
      </button>
    </div>
  );
}
