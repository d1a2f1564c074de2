import { type ReactNode, useEffect, useId, useState } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { ModalDialog } from '../../kit/modal-dialog.tsx';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { type PlacedProblems, placeProblems } from '../editor/problem-path.ts';
import { FieldInput } from '../field/field-input.tsx';
import {
  defaultValues,
  type FormField,
  type FormValues,
  numberProblems,
  valuesToSend,
} from '../field/form-schema.ts';
import type { Press } from './use-press.ts';

interface ActionDialogProps {
  readonly widgetId: string;
  readonly label: string;
  readonly style: string;
  readonly question: string | null;
  readonly fields: readonly FormField[];
  readonly press: Press;
  onClose(): void;
}

const noProblems: PlacedProblems = new Map();

/** Asks for the action's input and for confirmation. It stays open until the server has accepted it. */
export function ActionDialog(props: ActionDialogProps): ReactNode {
  const { widgetId, label, style, question, fields, press, onClose } = props;
  const { calls } = useWidgetHost();
  const words = useInputWords();
  const id = useId();
  const [values, setValues] = useState<FormValues>(() => defaultValues(fields));
  const [edited, setEdited] = useState(false);
  const [unread, setUnread] = useState(noProblems);
  const refused = press.outcome === null ? noProblems : problemsOf(press, fields);
  const problems = edited ? noProblems : unread.size > 0 ? unread : refused;
  const failure = edited || problems.size > (problems.has('') ? 1 : 0) ? null : press.outcome?.message;

  const firstWrong = fields.find(({ key }) => problems.has(key))?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failed attempt moves the focus once
  useEffect(() => {
    if (firstWrong !== undefined) document.getElementById(`${id}-${firstWrong}`)?.focus();
  }, [press.outcome, unread]);

  async function go(): Promise<void> {
    setEdited(false);
    const wrong = numberProblems(fields, values, words);
    setUnread(wrong);
    if (wrong.size > 0) return;
    if (await press.press(valuesToSend(fields, values))) onClose();
  }

  return (
    <ModalDialog labelledBy={`${id}-title`} busy={press.busy} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void go();
        }}
      >
        <h2 id={`${id}-title`}>{label}</h2>
        {question !== null && <p className="dialog-question">{question}</p>}
        {fields.length > 0 && (
          <div className="fields" data-layout="one_column">
            {fields.map((field) => (
              <FieldInput
                key={field.key}
                field={field}
                fields={fields}
                values={values}
                problems={problems.get(field.key) ?? []}
                changed={false}
                controlId={`${id}-${field.key}`}
                loadOptions={(request, signal) => calls.options(widgetId, request, signal)}
                onChange={(value) => {
                  setEdited(true);
                  setValues((was) => ({ ...was, [field.key]: value }));
                }}
              />
            ))}
          </div>
        )}
        <div role="alert">
          {failure && (
            <p className="notice" data-tone="danger">
              <Icon name="alert" />
              <span>{failure}</span>
            </p>
          )}
        </div>
        <DialogButtons label={label} style={style} busy={press.busy} onCancel={onClose} />
      </form>
    </ModalDialog>
  );
}

interface DialogButtonsProps {
  readonly label: string;
  readonly style: string;
  readonly busy: boolean;
  onCancel(): void;
}

function DialogButtons({ label, style, busy, onCancel }: DialogButtonsProps): ReactNode {
  const words = useInputWords();
  return (
    <div className="dialog-buttons">
      <button type="button" className="button button-plain" onClick={() => !busy && onCancel()}>
        {words.cancel}
      </button>
      <button
        type="submit"
        className="button"
        data-style={style}
        data-busy={busy || undefined}
        aria-disabled={busy || undefined}
      >
        {busy && <Icon name="refresh" size={15} />}
        {label}
      </button>
    </div>
  );
}

/** The problems of the last press by field; their paths may start with `input`. */
function problemsOf(press: Press, fields: readonly FormField[]): PlacedProblems {
  const keys = new Set(fields.map((field) => field.key));
  return placeProblems(press.outcome?.problems ?? [], (path) => {
    const step = path.findLast((part) => keys.has(String(part)));
    return step === undefined ? null : String(step);
  });
}
