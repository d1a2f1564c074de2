import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import { type ConfigField, textFor } from './config-schema.ts';
import { chosenOf } from './shown-fields.ts';

interface ConfigInputProps {
  readonly id: string;
  readonly field: ConfigField;
  readonly text: string;
  /** Whether it must be filled in. */
  readonly isNeeded: boolean;
  /** Whether a secret has a value already. */
  readonly isStored: boolean;
  readonly isWrong: boolean;
  onText(text: string): void;
}

const rowsOf = { json: 4, long: 4, lines: 2 } as const;

/** What the value of a key is typed into, or chosen from. */
export function ConfigInput(props: ConfigInputProps): ReactNode {
  const { id, field, text, isNeeded, isStored, isWrong, onText } = props;
  const { connectors } = useTexts();
  const { kind } = field;
  const common = {
    id,
    className: 'field-box',
    required: isNeeded && !isStored,
    'aria-describedby': `${id}-problems ${id}-hint`,
    'aria-invalid': isWrong || undefined,
    value: text,
  };
  const placeholder = field.example ?? (textFor(field, field.default) || undefined);
  const area = (rows: number, more: object = {}) => (
    <textarea
      {...common}
      rows={rows}
      spellCheck={false}
      placeholder={placeholder}
      {...more}
      onChange={({ target }) => onText(target.value)}
    />
  );
  switch (kind) {
    case 'choice':
    case 'boolean':
    case 'variants':
      return (
        <select {...common} onChange={({ target }) => onText(target.value)}>
          <option value="">{defaultText(connectors, field)}</option>
          {optionsOf(field).map(([option, label]) => (
            <option key={option} value={option}>
              {kind === 'boolean' ? connectors.booleans[option as 'true' | 'false'] : label}
            </option>
          ))}
        </select>
      );
    case 'lines':
      return area(Math.min(Math.max(rowsOf.lines, placeholder?.split('\n').length ?? 0), rowsOf.long));
    case 'json':
      return area(rowsOf.json);
    case 'secret': {
      const stored = isStored ? connectors.secretStored : undefined;
      // One line would lose the breaks of a key that is pasted.
      if (field.isLong || field.isJson)
        return area(rowsOf.long, {
          autoComplete: 'off',
          placeholder: stored ?? field.example ?? undefined,
          'data-secret': text === '' ? undefined : true,
        });
      return (
        <input
          {...common}
          type="password"
          autoComplete="new-password"
          placeholder={stored}
          onChange={({ target }) => onText(target.value)}
        />
      );
    }
    case 'text':
    case 'number':
      if (field.isLong) return area(rowsOf.long);
      return (
        <input
          {...common}
          spellCheck={false}
          inputMode={kind === 'number' ? 'numeric' : undefined}
          placeholder={placeholder}
          onChange={({ target }) => onText(target.value)}
        />
      );
    case 'group':
      return null;
    default:
      return kind satisfies never;
  }
}

function optionsOf({ kind, choices, variants }: ConfigField): readonly (readonly [string, string])[] {
  if (kind === 'variants') return variants.map(({ name, label }) => [name, label]);
  return (kind === 'boolean' ? ['true', 'false'] : choices.map(String)).map((one) => [one, one]);
}

function defaultText(texts: ReturnType<typeof useTexts>['connectors'], field: ConfigField): string {
  const chosen = field.kind === 'variants' ? chosenOf(field, null) : textFor(field, field.default);
  if (chosen === '') return texts.notSet;
  return texts.byDefault(field.kind === 'boolean' ? texts.booleans[chosen as 'true' | 'false'] : chosen);
}
