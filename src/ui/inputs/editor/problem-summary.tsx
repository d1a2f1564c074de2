import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useInputWords } from '../../texts/input-words.ts';
import type { PlacedProblems } from './problem-path.ts';

interface ProblemSummaryProps {
  /** The problems of the last attempt to save. A new map moves the focus here. */
  readonly problems: PlacedProblems;
  /** The id of a place's control; null if there is none. */
  controlOf(place: string): string | null;
  /** Whether the place has not been edited since. */
  isOpen(place: string): boolean;
  /** Prefix of a problem's text that names its place. */
  prefixOf?(place: string): string;
}

/**
 * Why saving failed, with a link to each control. What has been edited since is crossed out; the box stays until the next attempt, so
 * that nothing moves while typing.
 */
export function ProblemSummary({ problems, controlOf, isOpen, prefixOf }: ProblemSummaryProps): ReactNode {
  const words = useInputWords();
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failed attempt moves the focus once
  useEffect(() => box.current?.focus(), [problems]);
  const entries = [...problems].flatMap(([place, messages]) =>
    messages.map((message) => ({
      message: `${prefixOf?.(place) ?? ''}${message}`,
      id: controlOf(place),
      open: isOpen(place),
    })),
  );
  const left = entries.filter(({ open }) => open).length;
  if (entries.length === 0) return null;
  return (
    <div ref={box} className="notice" data-tone={left > 0 ? 'danger' : 'info'} role="alert" tabIndex={-1}>
      <Icon name={left > 0 ? 'alert' : 'check'} />
      <div>
        <p>
          <strong>{left === 0 ? words.edited : words.problems(left)}</strong>
        </p>
        <ul>
          {entries.map(({ message, id, open }) => (
            <li key={`${id} ${message}`} data-edited={!open || undefined}>
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
