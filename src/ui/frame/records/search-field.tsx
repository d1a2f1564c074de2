import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

const delayMs = 250;
const charsMax = 200;

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  /** Names the field where a label of its own is shown. */
  readonly id?: string;
  onChange(text: string): void;
}

/** What is typed is searched for once the typing pauses, unless its screen is being left. */
export function SearchField({ label, value, id, onChange }: SearchFieldProps): ReactNode {
  const [text, setText] = useState(value);
  const router = useRouter();
  // Another filter may be chosen before the pause ends: the search is added to that one, not to those that were there when it was typed.
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed is searched for
  useEffect(() => {
    if (text === value) return;
    const { pathname } = router.latestLocation;
    // A search would take the place of a navigation that has begun: the click would be lost.
    const search = () => router.latestLocation.pathname === pathname && change.current(text);
    const timer = setTimeout(search, delayMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      id={id}
      type="search"
      className="field-box"
      aria-label={id === undefined ? label : undefined}
      placeholder={id === undefined ? label : undefined}
      maxLength={charsMax}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

/** As a filter among others, with its label above. */
export function SearchFilter(props: Omit<SearchFieldProps, 'id'>): ReactNode {
  const id = useId();
  return (
    <div className="filter">
      <label htmlFor={id}>{props.label}</label>
      <SearchField {...props} id={id} />
    </div>
  );
}
