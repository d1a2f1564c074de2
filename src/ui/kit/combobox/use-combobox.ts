import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Option } from '../../api/widget-calls.ts';
import { activeAfter } from './option-list.ts';
import { type OptionSource, type Options, useOptions } from './use-options.ts';

interface ComboboxSettings {
  readonly source: OptionSource;
  readonly multiple: boolean;
  /** The chosen values: at most one, unless `multiple`. */
  readonly value: readonly string[];
  onChange(value: readonly string[]): void;
}

export interface Combobox {
  readonly open: boolean;
  /** The text typed since the list opened; null before. */
  readonly typed: string | null;
  /** The active option; -1 for none. */
  readonly active: number;
  readonly list: Options;
  show(): void;
  close(): void;
  type(text: string): void;
  choose(option: Option): void;
  remove(value: string): void;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * The behaviour of an editable combobox with a list (WAI-ARIA Authoring Practices, "Combobox"). Own code, because a library would
 * exceed the page's budget of compressed JavaScript: downshift adds 13 kB, React Aria 44 kB or more.
 */
export function useCombobox({ source, multiple, value, onChange }: ComboboxSettings): Combobox {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [moved, setMoved] = useState<number | null>(null);
  const list = useOptions(source, open, typed ?? '');
  const count = list.options.length;
  const active = Math.min(moved ?? startOf(list.options, value, typed), count - 1);

  const show = () => setOpen(true);
  const close = () => {
    setOpen(false);
    setTyped(null);
    setMoved(null);
  };
  const type = (text: string) => {
    setOpen(true);
    setTyped(text);
    setMoved(null);
  };
  const remove = (gone: string) => onChange(value.filter((item) => item !== gone));
  const choose = (option: Option) => {
    if (!multiple) {
      onChange([option.value]);
      close();
      return;
    }
    if (value.includes(option.value)) remove(option.value);
    else onChange([...value, option.value]);
    setMoved(list.options.indexOf(option));
  };
  const { loadMore } = list;
  const atEnd = open && active >= count - 1 && moved !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time the keys reach the end
  useEffect(() => {
    if (atEnd) loadMore();
  }, [atEnd, count]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const chosen = list.options[active];
    if (event.key === 'Backspace' && multiple && !typed) {
      const last = value.at(-1);
      if (last !== undefined) remove(last);
    } else if (!open) {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        show();
      }
    } else if (event.key === 'Escape') {
      // Closes only the list, not a dialog around it.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // While a new search is loading, the list still answers the previous one.
      if (list.phase === 'failed') list.retry();
      else if (!list.stale && chosen) choose(chosen);
    } else if (event.key !== 'Tab' && !event.ctrlKey && !event.metaKey) {
      const next = activeAfter(event.key, active, count);
      if (next === null) return;
      event.preventDefault();
      setMoved(next);
    }
  };
  return { open, typed, active, list, show, close, type, choose, remove, onKeyDown };
}

/** Where the keys start: at the first match of a search, otherwise at the chosen option. */
function startOf(options: readonly Option[], value: readonly string[], typed: string | null): number {
  if (typed) return 0;
  return value.length === 1 ? options.findIndex((option) => option.value === value[0]) : -1;
}
