import type { ReactNode } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useInputWords } from '../../texts/input-words.ts';
import type { Editor } from './use-editor.ts';

type SaveState = Pick<Editor<unknown>, 'draft' | 'outdated' | 'state' | 'failure' | 'keepMine'>;

interface SaveBarProps {
  readonly editor: SaveState;
  /** The button's label. */
  readonly label: string;
  onDiscard(): void;
}

/** Saves or discards the edits, and shows the outcome. */
export function SaveBar({ editor, label, onDiscard }: SaveBarProps): ReactNode {
  const words = useInputWords();
  const { draft, outdated, state, failure } = editor;
  const dirty = draft !== null;
  const canSave = dirty && !outdated && state !== 'saving';
  return (
    <div className="save">
      {outdated && <TheirsNotice onLoad={onDiscard} onKeep={editor.keepMine} />}
      {failure !== null && !outdated && (
        <p className="notice" data-tone="danger" role="alert">
          <Icon name="alert" />
          <span>{failure}</span>
        </p>
      )}
      <div className="save-bar">
        <button
          type="submit"
          className="button"
          aria-disabled={!canSave}
          onClick={(event) => {
            if (!canSave) event.preventDefault();
          }}
        >
          {label}
        </button>
        <button
          type="button"
          className="button button-plain"
          aria-disabled={!dirty || state === 'saving'}
          onClick={() => dirty && state !== 'saving' && onDiscard()}
        >
          {words.discard}
        </button>
        <p className="save-state" role="status" data-state={dirty ? 'dirty' : state}>
          {state === 'saving' ? (
            words.saving
          ) : dirty ? (
            words.unsaved
          ) : state === 'saved' ? (
            <>
              <Icon name="check" size={15} /> {words.saved}
            </>
          ) : null}
        </p>
      </div>
    </div>
  );
}

interface TheirsNoticeProps {
  onLoad(): void;
  onKeep(): void;
}

/** Somebody else has saved: the draft stays until the reader chooses. */
function TheirsNotice({ onLoad, onKeep }: TheirsNoticeProps): ReactNode {
  const words = useInputWords();
  return (
    <div className="notice" data-tone="warning" role="alert">
      <Icon name="alert" />
      <div>
        <p>{words.theirs}</p>
        <p className="notice-choices">
          <button type="button" className="button button-plain" onClick={onLoad}>
            {words.loadTheirs}
          </button>
          <button type="button" className="button button-plain" onClick={onKeep}>
            {words.keepMine}
          </button>
        </p>
      </div>
    </div>
  );
}
