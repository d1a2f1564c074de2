import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../../kit/icon.tsx';
import type { PlacedProblems } from './problem-path.ts';

interface ProblemSummaryProps {
  /** Those of the last try to save. Another map takes the focus here. */
  readonly problems: PlacedProblems;
  /** The id of a place's control; null where it has none. */
  controlOf(place: string): string | null;
  /** What a problem's words begin with, so that its place is known. */
  prefixOf?(place: string): string;
}

/** Everything that kept a save from happening, each leading to its control. It stays until the next try: nothing moves while typing. */
export function ProblemSummary({ problems, controlOf, prefixOf }: ProblemSummaryProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal takes the focus once
  useEffect(() => box.current?.focus(), [problems]);
  const entries = [...problems].flatMap(([place, messages]) =>
    messages.map((message) => ({ message: `${prefixOf?.(place) ?? ''}${message}`, id: controlOf(place) })),
  );
  if (entries.length === 0) return null;
  return (
    <div ref={box} className="notice" data-tone="danger" role="alert" tabIndex={-1}>
      <Icon name="alert" />
      <div>
        <p>
          <strong>
            {entries.length === 1 ? 'There is one problem' : `There are ${entries.length} problems`}
          </strong>
        </p>
        <ul>
          {entries.map(({ message, id }) => (
            <li key={`${id} ${message}`}>
              {id === null ? (
                message
              ) : (
                <button type="button" onClick={() => document.getElementById(id)?.focus()}>
                  {message}
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
