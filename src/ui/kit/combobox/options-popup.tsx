import { forwardRef, type ReactNode, type UIEvent, useEffect } from 'react';
import type { Option } from '../../api/widget-calls.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { Icon } from '../icon.tsx';
import type { Combobox } from './use-combobox.ts';

const loadBeforeEndPx = 80;

interface OptionsPopupProps {
  /** Id of the list; the ids of its options are derived from it. */
  readonly id: string;
  readonly label: string;
  readonly multiple: boolean;
  readonly value: readonly string[];
  readonly box: Combobox;
  readonly emptyText?: string | undefined;
}

/** The list of a combobox. The focus stays in the input, even when something here is pressed. */
export const OptionsPopup = forwardRef<HTMLDivElement, OptionsPopupProps>(function OptionsPopup(
  { id, label, multiple, value, box, emptyText },
  ref,
) {
  const { options, stale, loadMore } = box.list;
  useEffect(() => {
    document.getElementById(`${id}-${box.active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, box.active]);
  const onScroll = ({ currentTarget: at }: UIEvent) => {
    if (at.scrollHeight - at.scrollTop - at.clientHeight < loadBeforeEndPx) loadMore();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps the focus where it is
    <div ref={ref} className="options" onMouseDown={(event) => event.preventDefault()}>
      <div
        className="options-list"
        id={id}
        role="listbox"
        tabIndex={-1}
        aria-label={label}
        aria-multiselectable={multiple || undefined}
        aria-busy={stale}
        onScroll={onScroll}
      >
        {options.map((option, at) => (
          <OptionRow
            key={option.value}
            id={`${id}-${at}`}
            option={option}
            active={at === box.active}
            chosen={value.includes(option.value)}
            onChoose={() => box.choose(option)}
          />
        ))}
      </div>
      <PopupFoot box={box} emptyText={emptyText} />
    </div>
  );
});

interface OptionRowProps {
  readonly id: string;
  readonly option: Option;
  readonly active: boolean;
  readonly chosen: boolean;
  onChoose(): void;
}

function OptionRow({ id, option, active, chosen, onChoose }: OptionRowProps): ReactNode {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option
    <div
      id={id}
      className="option"
      role="option"
      aria-selected={chosen}
      data-active={active || undefined}
      onClick={onChoose}
    >
      <span className="option-text">
        <span>{option.label}</span>
        {option.subText && <span className="option-sub">{option.subText}</span>}
      </span>
      {chosen && <Icon name="check" size={14} />}
    </div>
  );
}

/** The list's status: loading, empty, failed; for screen readers also the number of options. */
function PopupFoot({
  box,
  emptyText,
}: {
  readonly box: Combobox;
  readonly emptyText?: string | undefined;
}): ReactNode {
  const words = useInputWords();
  const { options, stale, problem, hasMore, loadMore, retry } = box.list;
  // A list that is being reloaded stays usable.
  const again = box.list.phase === 'loading' && !stale && options.length > 0;
  const phase = again ? 'ready' : box.list.phase;
  const none = phase === 'ready' && options.length === 0;
  const noneWords = box.typed ? words.options.nothing(box.typed) : (emptyText ?? words.options.none);
  const status =
    phase === 'failed'
      ? problem
      : none
        ? noneWords
        : phase === 'ready'
          ? words.options.count(options.length, hasMore)
          : words.options.loading;
  const quiet = phase === 'ready' && !none;
  return (
    <div className={quiet && !hasMore ? 'visually-hidden' : 'options-foot'}>
      <p
        role="status"
        className={quiet ? 'visually-hidden' : undefined}
        data-failed={phase === 'failed' || undefined}
      >
        {status}
      </p>
      {phase === 'failed' && (
        <button type="button" className="text-button" tabIndex={-1} onClick={retry}>
          {words.options.again}
        </button>
      )}
      {phase === 'ready' && hasMore && (
        <button type="button" className="text-button" tabIndex={-1} onClick={loadMore}>
          {words.options.more}
        </button>
      )}
    </div>
  );
}
