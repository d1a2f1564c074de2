import type { ReactNode } from 'react';
import { noValue } from '../../kit/format-value.ts';
import { SafeLink } from '../../kit/text/markdown.tsx';
import { type FormField, type FormValues, valueInWords } from '../field/form-schema.ts';

interface FormViewProps {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
}

/** A form's values where they can only be read. */
export function FormView({ fields, values }: FormViewProps): ReactNode {
  return (
    <dl className="form-view">
      {fields
        .filter((field) => !field.hidden)
        .map((field) => {
          const words = valueInWords(field, values[field.key]);
          const href = field.format === 'email' ? `mailto:${words}` : field.format === 'url' ? words : null;
          return (
            <div key={field.key}>
              <dt>{field.label}</dt>
              <dd data-absent={words === '' || undefined}>
                {words === '' ? noValue : href === null ? words : <SafeLink href={href}>{words}</SafeLink>}
              </dd>
            </div>
          );
        })}
    </dl>
  );
}
