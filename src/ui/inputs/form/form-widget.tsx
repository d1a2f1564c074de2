import { type ReactNode, useId, useMemo, useState } from 'react';
import type { SubmitAnswer } from '../../api/widget-calls.ts';
import { afterPress } from '../../kit/after-press.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { noValue } from '../../kit/format-value.ts';
import { SafeLink } from '../../kit/text/markdown.tsx';
import type { WidgetBodyProps } from '../../kit/widget/widget-body.ts';
import { listIn, objectOf, textOf, type WidgetConfig } from '../../kit/widget/widget-config.ts';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { InputHead } from '../editor/input-head.tsx';
import { type PlacedProblems, placeProblems, withoutPlace } from '../editor/problem-path.ts';
import { ProblemSummary } from '../editor/problem-summary.tsx';
import { SaveBar } from '../editor/save-bar.tsx';
import { type Editor, useEditor } from '../editor/use-editor.ts';
import { FieldInput } from '../field/field-input.tsx';
import {
  type FormField,
  type FormValues,
  fillValues,
  isSameForm,
  isSameValue,
  numberProblems,
  readFields,
  valueInWords,
  valuesToSend,
} from '../field/form-schema.ts';
import { fieldPlace, useFormCheck } from './use-form-check.ts';

interface FormPayload {
  readonly schema: WidgetConfig;
  readonly values: FormValues | null;
  readonly version: number;
  readonly readonly: boolean;
  readonly reason: string | null;
}

interface FormParts {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly version: number;
}

/** A form that edits a part of the job's configuration. */
export function FormWidget({ widgetId, data, config, title, hasTitle }: WidgetBodyProps): ReactNode {
  const words = useInputWords();
  const payload = objectOf<FormPayload>(data, 'a form');
  const parts = useMemo(() => readForm(data), [data]);
  const schema = payload.schema ?? {};
  return (
    <div className="input-widget">
      <InputHead
        title={hasTitle ? null : textOf(schema, 'title')}
        description={textOf(schema, 'description')}
        readonlyReason={payload.readonly ? (payload.reason ?? words.formReadOnly) : null}
      />
      {parts.fields.length === 0 ? (
        <EmptyState>{words.noFields}</EmptyState>
      ) : payload.readonly ? (
        <FormView fields={parts.fields} values={payload.values ?? {}} />
      ) : (
        <FormEditor widgetId={widgetId} title={title} config={config} parts={parts} />
      )}
    </div>
  );
}

function readForm(data: unknown): FormParts {
  const payload = objectOf<FormPayload>(data, 'a form');
  const fields = readFields(payload.schema?.['fields']);
  return { fields, values: fillValues(fields, payload.values ?? {}), version: payload.version ?? 0 };
}

interface FormViewProps {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
}

/** A form's values, read-only. */
function FormView({ fields, values }: FormViewProps): ReactNode {
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

interface FormEditorProps {
  readonly widgetId: string;
  readonly title: string;
  readonly config: WidgetConfig;
  readonly parts: FormParts;
}

const noProblems: PlacedProblems = new Map();
const leaveDelayMs = 300;

function FormEditor({ widgetId, title, config, parts }: FormEditorProps): ReactNode {
  const words = useInputWords();
  const { calls } = useWidgetHost();
  const id = useId();
  const { fields } = parts;
  const [refused, setRefused] = useState(noProblems);
  const [summary, setSummary] = useState(noProblems);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const editor = useFormEditor(widgetId, parts, (problems) => {
    setRefused(problems);
    setSummary(problems);
  });
  const check = useFormCheck(widgetId, fields, editor.draft?.value ?? null);
  const idOf = (key: string) => `${id}-${key}`;
  const clear = () => {
    setRefused(noProblems);
    setSummary(noProblems);
    setLeft(new Set());
  };
  const controlOf = (key: string) => (shown.some((field) => field.key === key) ? idOf(key) : null);
  const shown = fields.filter((field) => !check.hidden.has(field.key));
  const unread = numberProblems(shown, editor.value, words);
  const problemsOf = ({ key }: FormField) => {
    const own = unread.get(key);
    if (own !== undefined && (left.has(key) || refused.has(key))) return own;
    const known = left.has(key) && isSameValue(check.values[key], editor.value[key]);
    return refused.get(key) ?? (known ? (check.problems.get(key) ?? []) : []);
  };
  // A problem shown at once would move the button that is about to be clicked.
  const leave = (key: string) => {
    const show = () => setLeft((was) => (was.has(key) ? was : new Set(was).add(key)));
    setTimeout(() => afterPress(show), leaveDelayMs);
  };
  return (
    <form
      noValidate
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        if (editor.draft === null || editor.outdated) return;
        clear();
        if (unread.size === 0) return void editor.save();
        setRefused(unread);
        setSummary(unread);
      }}
    >
      <ProblemSummary problems={summary} controlOf={controlOf} isOpen={(place) => refused.has(place)} />
      <div className="fields" data-layout={textOf(config, 'layout') ?? 'one_column'}>
        {shown.map((field) => (
          <FieldInput
            key={field.key}
            field={field}
            fields={fields}
            values={editor.value}
            problems={problemsOf(field)}
            changed={!isSameValue(editor.value[field.key], parts.values[field.key])}
            controlId={idOf(field.key)}
            loadOptions={(request, signal) => calls.options(widgetId, request, signal)}
            onChange={(value) => {
              setRefused((was) => withoutPlace(was, field.key));
              editor.edit((values) => ({ ...values, [field.key]: value }));
            }}
            onLeave={() => leave(field.key)}
          />
        ))}
      </div>
      <SaveBar
        editor={editor}
        label={textOf(config, 'submit_label') ?? words.save}
        onDiscard={() => {
          clear();
          editor.discard();
        }}
      />
    </form>
  );
}

function useFormEditor(
  widgetId: string,
  { fields, values, version }: FormParts,
  onRefused: (problems: PlacedProblems) => void,
): Editor<FormValues> {
  return useEditor<FormValues>({
    widgetId,
    saved: { value: values, version },
    same: (one, other) => isSameForm(fields, one, other),
    toSend: (value) => valuesToSend(fields, value),
    readSaved: (data) => {
      const parts = readForm(data);
      return { value: parts.values, version: parts.version };
    },
    withSaved: (data, answer) => withAnswer(objectOf<FormPayload>(data, 'a form'), answer),
    onProblems: (problems) => onRefused(placeProblems(problems, fieldPlace)),
  });
}

/** The payload that the server will send next: with the saved values, and the fields that they hide. */
function withAnswer(payload: Partial<FormPayload>, { value, version, hidden }: SubmitAnswer): object {
  const fields = listIn(payload.schema ?? {}, 'fields').map((field) => ({
    ...field,
    hidden: hidden.includes(String(field['key'])),
  }));
  return { ...payload, schema: { ...payload.schema, fields }, values: value, version };
}
