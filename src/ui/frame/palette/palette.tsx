import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ModalDialog } from '../../kit/modal-dialog.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { type PaletteEntry, usePaletteEntries } from './palette-entries.ts';

export interface PaletteProps {
  /** What was typed while it was fetched. */
  takeTyped(): string;
  onClose(): void;
}

/** Goes to any screen, action or record by some letters of its name; the arrow keys choose, Enter goes (WAI-ARIA, "Combobox"). */
export function Palette({ takeTyped, onClose }: PaletteProps): ReactNode {
  const id = useId();
  const navigate = useNavigate();
  const { palette } = useTexts();
  const [typed, setTyped] = useState(takeTyped);
  const [moved, setMoved] = useState(0);
  const { entries, isSearching } = usePaletteEntries(typed);
  const active = Math.min(moved, entries.length - 1);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const go = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    if ('run' in entry) {
      // After the dialog has given the focus back.
      setTimeout(entry.run);
      return;
    }
    const { to, id: record, search = {} } = entry;
    if (record !== undefined) void navigate({ to, params: { id: String(record) }, search });
    else void navigate({ to, search });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === 0) go(entries[active]);
    else if (entries.length > 0) setMoved((active + step + entries.length) % entries.length);
  };
  return (
    <ModalDialog labelledBy={`${id}-title`} busy={false} onClose={onClose}>
      <div className="palette">
        <h2 id={`${id}-title`} className="visually-hidden">
          {palette.title}
        </h2>
        <input
          ref={input}
          type="text"
          role="combobox"
          className="field-box"
          aria-label={palette.title}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
          autoComplete="off"
          placeholder={palette.hint}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setMoved(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div
          id={`${id}-list`}
          role="listbox"
          className="palette-list"
          aria-label={palette.title}
          tabIndex={-1}
        >
          {entries.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
            <div
              key={'run' in entry ? entry.label : `${entry.to} ${entry.id} ${entry.label}`}
              id={`${id}-${index}`}
              role="option"
              className="option"
              aria-selected={index === active}
              data-active={index === active || undefined}
              onClick={() => go(entry)}
            >
              <span>{entry.label}</span>
              <span className="option-sub">{entry.kind}</span>
            </div>
          ))}
        </div>
        <p className="field-hint" role="status">
          {entries.length === 0 && !isSearching && palette.nothing}
        </p>
      </div>
    </ModalDialog>
  );
}
