import { useEffect, useMemo, useState } from 'react';
import { afterPress } from '../../kit/after-press.ts';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { type PlacedProblems, placeProblems } from '../editor/problem-path.ts';
import { type FormField, type FormValues, valuesToSend } from '../field/form-schema.ts';

const checkDelayMs = 400;

export interface FormCheck {
  readonly hidden: ReadonlySet<string>;
  /** What is wrong with `values`: a field that says something else by now is not known to be wrong. */
  readonly problems: PlacedProblems;
  readonly values: FormValues;
}

const noProblems: PlacedProblems = new Map();

/** A form's problems by field: the path begins with the entry's key, which the page does not know. */
export function fieldPlace(path: readonly (string | number)[]): string | null {
  return path[1] === undefined ? null : String(path[1]);
}

/**
 * What the server says of a draft while it is typed: the fields that its rules hide, and what is wrong. Without a draft, or before
 * the first answer, what the payload said of the saved values.
 */
export function useFormCheck(
  widgetId: string,
  fields: readonly FormField[],
  draft: FormValues | null,
): FormCheck {
  const { calls } = useWidgetHost();
  const [checked, setChecked] = useState<FormCheck | null>(null);
  const text = draft === null ? null : JSON.stringify(valuesToSend(fields, draft));
  useEffect(() => {
    if (text === null) {
      setChecked(null);
      return;
    }
    const control = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const values = JSON.parse(text) as FormValues;
        const answer = await calls.submit(widgetId, { value: values, dry_run: true }, control.signal);
        const problems = placeProblems(answer.problems, fieldPlace);
        afterPress(() => {
          if (!control.signal.aborted) setChecked({ hidden: new Set(answer.hidden), problems, values });
        });
      } catch {
        // Saving tells what is wrong; a check that cannot be made leaves the form as it is.
      }
    }, checkDelayMs);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [calls, widgetId, text]);
  return useMemo(
    () =>
      checked ?? {
        hidden: new Set(fields.filter((field) => field.hidden).map((field) => field.key)),
        problems: noProblems,
        values: {},
      },
    [checked, fields],
  );
}
