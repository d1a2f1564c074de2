import { type ReactNode, useId } from 'react';
import { useThemeChoice } from '../../kit/theme/use-theme.ts';
import { type Language, languages } from '../../texts/language.ts';
import { useCatalogue } from '../../texts/texts-context.tsx';

/** The page's language, each by its own name. */
export function LanguageChoice(): ReactNode {
  const { language, texts, choose } = useCatalogue();
  return (
    <Choice
      label={texts.frame.language}
      options={Object.entries(languages)}
      value={language}
      onChange={(next) => void choose(next as Language)}
    />
  );
}

export function ThemeChoice(): ReactNode {
  const { texts } = useCatalogue();
  const { choice, choose } = useThemeChoice();
  return (
    <Choice
      label={texts.frame.theme}
      options={Object.entries(texts.frame.themes)}
      value={choice}
      onChange={(next) => choose(next as typeof choice)}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string;
  onChange(value: string): void;
}

function Choice({ label, options, value, onChange }: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <div className="choice">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field-box" value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
