import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from 'react';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import type { LogLine } from './log-line.ts';
import { rowPx } from './log-scale.ts';
import type { Log } from './use-log.ts';
import { useScaledRows } from './use-scaled-rows.ts';

const borderPx = 2;
const heightMax = 'max(260px, 56vh)';
/** So far from its end, the list still counts as at its end. */
const endPx = 40;

interface LogListProps {
  readonly log: Log;
  readonly follow: boolean;
  /** The chosen line's index; null: none. */
  readonly chosen: number | null;
  onFollow(follow: boolean): void;
  onChoose(index: number): void;
}

/** The lines in view. Arrow keys choose one; the list itself scrolls. */
export function LogList({ log, follow, chosen, onFollow, onChoose }: LogListProps): ReactNode {
  const { texts } = useCatalogue();
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, whole } = log;
  const { count } = rows;
  const list = useScaledRows(scroller, count);
  const { indexes } = list;
  useEffect(() => {
    whole?.show(indexes[0] ?? 0, (indexes.at(-1) ?? -1) + 1);
  });
  const scrollTo = useRef(list.scrollTo);
  scrollTo.current = list.scrollTo;
  useEffect(() => {
    if (follow && count > 0) scrollTo.current(count - 1, 'end');
  }, [follow, count]);
  useEffect(() => {
    if (chosen !== null) scrollTo.current(chosen, 'auto');
  }, [chosen]);
  const scrolled = () => {
    const box = scroller.current;
    const isBackward = list.scrolled();
    if (box === null) return;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= endPx;
    if (!isAtEnd && follow && isBackward) onFollow(false);
  };
  const pressed = (event: KeyboardEvent) => {
    const next = nextIndex(
      event.key,
      chosen,
      count,
      Math.floor((scroller.current?.clientHeight ?? 0) / rowPx),
    );
    if (next === null) return;
    event.preventDefault();
    onFollow(false);
    onChoose(next);
  };
  return (
    <div
      ref={scroller}
      className="log-lines"
      role="listbox"
      aria-label={texts.log.title}
      aria-activedescendant={chosen === null ? undefined : `log-${chosen}`}
      tabIndex={0}
      style={{ height: `min(${list.heightPx + borderPx}px, ${heightMax})` }}
      onScroll={scrolled}
      onKeyDown={pressed}
    >
      <div role="presentation" style={{ height: list.heightPx }}>
        {indexes.map((index) => (
          <LogRow
            key={index}
            index={index}
            top={list.topOf(index)}
            count={count}
            line={rows.at(index)}
            chosen={index === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  );
}

interface LogRowProps {
  readonly index: number;
  readonly top: number;
  readonly count: number;
  readonly line: LogLine | null | undefined;
  readonly chosen: boolean;
  onChoose(index: number): void;
}

/** Scrolling renders only the rows that come into view. */
const LogRow = memo(
  ({ index, top, count, line, chosen, onChoose }: LogRowProps): ReactNode => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the chosen line
    <div
      id={`log-${index}`}
      role="option"
      aria-selected={chosen}
      aria-setsize={count}
      aria-posinset={index + 1}
      className="log-line"
      data-level={line?.level}
      style={{ transform: `translateY(${top}px)`, height: rowPx }}
      onClick={() => onChoose(index)}
    >
      <LineText line={line} />
    </div>
  ),
);

function nextIndex(key: string, chosen: number | null, count: number, page: number): number | null {
  if (count === 0) return null;
  const at = chosen ?? -1;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? null : Math.min(count - 1, Math.max(0, next));
}

function LineText({ line }: { readonly line: LogLine | null | undefined }): ReactNode {
  const { texts, locale } = useCatalogue();
  if (line === undefined) return <span className="log-absent">…</span>;
  if (line === null) return <span className="log-absent">{texts.log.absent}</span>;
  return (
    <>
      <time dateTime={line.at}>{clockOf(line.at, locale)}</time>
      <span className="log-level">{line.level}</span>
      {line.step_id !== null && <span className="log-step">{line.step_id}</span>}
      <span className="log-message">{line.message}</span>
    </>
  );
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(at: string, locale: string): string {
  let clock = clocks.get(locale);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat(locale, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
    });
    clocks.set(locale, clock);
  }
  return clock.format(new Date(at));
}
