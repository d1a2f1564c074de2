import { type ReactNode, useId } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Settings } from './settings.ts';

type Setting = Settings[string];

interface SettingFieldProps {
  readonly name: string;
  readonly setting: Setting;
  readonly value: unknown;
  /** Null: the default. */
  onChange(value: unknown): void;
}

/** One setting with what it means, where its value comes from, and the way back to its default. */
export function SettingField({ name, setting, value, onChange }: SettingFieldProps): ReactNode {
  const id = useId();
  const { admin } = useTexts();
  const { locked, source, description, default: fallback } = setting;
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>
          <code>{name}</code>
        </label>
        {source === 'stored' && !locked && (
          <button type="button" className="text-button" onClick={() => onChange(null)}>
            {admin.settings.reset}
          </button>
        )}
      </div>
      <Control id={id} setting={setting} value={value} onChange={onChange} />
      <p id={`${id}-hint`} className="field-hint">
        <Described text={description} />{' '}
        {locked ? admin.settings.locked : admin.settings.byDefault(textOf(fallback))}
      </p>
    </div>
  );
}

/** Text with what stands between backticks as code. */
function Described({ text }: { readonly text: string }): ReactNode {
  const parts = text.split('`');
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
    index % 2 === 0 ? part : <code key={index}>{part}</code>,
  );
}

type ControlProps = Omit<SettingFieldProps, 'name'> & { readonly id: string };

function Control({ id, setting, value, onChange }: ControlProps): ReactNode {
  const common = { id, disabled: setting.locked, 'aria-describedby': `${id}-hint` };
  if (typeof setting.default === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        className="lone-check"
        checked={(value ?? setting.default) === true}
        onChange={({ target }) => onChange(target.checked)}
      />
    );
  if (typeof setting.default === 'number')
    return (
      <input
        {...common}
        type="number"
        className="field-box"
        value={value === null ? setting.default : String(value)}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      />
    );
  return (
    <input
      {...common}
      type={setting.secret ? 'password' : 'text'}
      autoComplete="off"
      className="field-box"
      value={textOf(value)}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    />
  );
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
