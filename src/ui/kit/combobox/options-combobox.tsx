import { type ReactNode, type RefObject, useId, useRef } from 'react';
import { useInputWords } from '../../texts/input-words.ts';
import { Icon } from '../icon.tsx';
import { OptionsPopup } from './options-popup.tsx';
import { type Combobox, useCombobox } from './use-combobox.ts';
import type { OptionSource } from './use-options.ts';
import { usePopup } from './use-popup.ts';

/** The longest search text that the server accepts. */
const searchCharsMax = 200;

export interface OptionsComboboxProps {
  /** Id of the input, for its label. */
  readonly id: string;
  readonly label: string;
  readonly source: OptionSource;
  readonly multiple: boolean;
  readonly required: boolean;
  /** The chosen values: at most one, unless `multiple`. */
  readonly value: readonly string[];
  /** Shown by a list without options. */
  readonly emptyText?: string | undefined;
  /** Id of the element that describes the input. */
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
  /** Chosen values that are no longer offered. */
  readonly refused?: ReadonlySet<string> | undefined;
  onChange(value: readonly string[]): void;
  onLeave?(): void;
}

/** Chooses one or several of many options, which are searched by typing and loaded page by page. */
export function OptionsCombobox(props: OptionsComboboxProps): ReactNode {
  const words = useInputWords();
  const { value, multiple, label, onLeave } = props;
  const listId = useId();
  const control = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const box = useCombobox(props);
  usePopup(box.open, control, popup);
  const clearable = !multiple && !props.required && value.length > 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: notices when the focus leaves all of its parts
    <div
      className="combo"
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        box.close();
        onLeave?.();
      }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a larger target for what the input itself does */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a larger target for what the input itself does */}
      <div
        ref={control}
        className="field-box combo-box"
        data-invalid={props.invalid || undefined}
        onClick={(event) => {
          if ((event.target as Element).closest('button')) return;
          input.current?.focus();
          box.show();
        }}
      >
        {multiple && <Chips {...props} box={box} input={input} />}
        <ComboInput {...props} box={box} input={input} listId={listId} />
        {clearable && (
          <button
            type="button"
            className="combo-clear"
            aria-label={words.options.clear(label)}
            onClick={() => {
              props.onChange([]);
              input.current?.focus();
            }}
          >
            <Icon name="x" size={14} />
          </button>
        )}
        <Icon name="down" size={14} />
      </div>
      {box.open && (
        <OptionsPopup
          ref={popup}
          id={listId}
          label={label}
          multiple={multiple}
          value={value}
          box={box}
          emptyText={props.emptyText}
        />
      )}
    </div>
  );
}

interface PartProps extends OptionsComboboxProps {
  readonly box: Combobox;
  readonly input: RefObject<HTMLInputElement | null>;
}

function ComboInput({
  id,
  value,
  multiple,
  box,
  input,
  listId,
  ...props
}: PartProps & { listId: string }): ReactNode {
  const words = useInputWords();
  const chosen = multiple || value[0] === undefined ? '' : (box.list.labelOf(value[0]) ?? value[0]);
  const unfit = props.source.kind === 'inline' && props.source.options.length === 0;
  return (
    <input
      ref={input}
      id={id}
      className="combo-input"
      role="combobox"
      aria-expanded={box.open}
      aria-controls={box.open ? listId : undefined}
      aria-autocomplete="list"
      aria-activedescendant={box.open && box.active >= 0 ? `${listId}-${box.active}` : undefined}
      aria-required={props.required}
      aria-invalid={props.invalid || undefined}
      aria-describedby={props.describedBy}
      autoComplete="off"
      spellCheck={false}
      maxLength={searchCharsMax}
      value={box.typed ?? chosen}
      placeholder={multiple && value.length > 0 ? '' : unfit ? words.options.none : words.choose}
      onFocus={(event) => event.target.select()}
      onChange={(event) => box.type(event.target.value)}
      onKeyDown={box.onKeyDown}
    />
  );
}

function Chips({ value, label, refused, box, input }: PartProps): ReactNode {
  const words = useInputWords();
  if (value.length === 0) return null;
  return (
    <ul className="combo-chips" aria-label={words.options.selected(label)}>
      {value.map((item) => {
        const name = box.list.labelOf(item) ?? item;
        return (
          <li key={item} data-refused={refused?.has(item) || undefined}>
            <span>{name}</span>
            <button
              type="button"
              aria-label={words.options.remove(name)}
              onClick={() => {
                box.remove(item);
                input.current?.focus();
              }}
            >
              <Icon name="x" size={12} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
