import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';

interface NameChoicesProps {
  readonly legend: string;
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  onChange(chosen: readonly string[]): void;
}

/** Any of these names. */
export function NameChoices({ legend, names, chosen, onChange }: NameChoicesProps): ReactNode {
  const { bundles } = useTexts();
  return (
    <fieldset className="choices bundle-names">
      <legend>{legend}</legend>
      {names.length === 0 && <p className="field-hint">{bundles.export.none}</p>}
      {names.map((name) => (
        <label key={name} className="check-line">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
