import { useEffect, useMemo, useState } from 'react';
import { afterPress } from '../../kit/after-press.ts';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { type PlacedProblems, placeProblems } from '../editor/problem-path.ts';
import { type FormField, type FormValues, valuesToSend } from '../field/form-schema.ts';

const checkDelayMs = 400;

export interface FormCheck {
  readonly hidden: ReadonlySet<string>;
  /** The problems with `values`. They say nothing about fields that have changed since. */
  readonly problems: PlacedProblems;
  readonly values: FormValues;
}

const noProblems: PlacedProblems = new Map();

/** The field that a problem belongs to: the second step of its path, after the entry's key. */
export function fieldPlace(path: readonly (string | number)[]): string | null {
  return path[1] === undefined ? null : String(path[1]);
}

/**
 * Checks a draft on the server during editing: which fields its rules hide, and what is wrong. Without a draft, or before the first
 * response, it returns what the payload said about the saved values.
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
        // If a check fails, the form stays as it is; saving will report what is wrong.
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
