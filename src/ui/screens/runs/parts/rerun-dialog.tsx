import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { ScriptSection } from '../../../frame/forms/script-section.tsx';
import { ChoiceList } from '../../../frame/records/choice-list.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { type OpenPress, pressKey, randomKey } from '../../../inputs/action/press.ts';
import type { ScriptCall } from '../../../kit/script-call.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

export type RerunUse = 'snapshot' | 'current';
type From = 'start' | 'failed' | 'task';

export interface RerunAsked {
  /** `start`, `failed` or the key of a task. */
  readonly from: string;
  readonly use: RerunUse;
  /** For `Idempotency-Key`: pressing again repeats the same request. */
  readonly key: string;
}

interface RerunDialogProps {
  /** Of a job run: its tasks. Without, it is the run of one task. */
  readonly tasks?: readonly string[];
  /** Whether something failed, so that only that can be run again. */
  readonly hasFailed?: boolean;
  /** The task that it begins with, where one was chosen already. */
  readonly task?: string | undefined;
  rerun(asked: RerunAsked): Promise<unknown>;
  script(asked: Omit<RerunAsked, 'key'>): ScriptCall;
  onClose(): void;
}

/** What is run again, and which version of it. */
export function RerunDialog({
  tasks,
  hasFailed = false,
  task: first,
  rerun,
  script,
  onClose,
}: RerunDialogProps): ReactNode {
  const { runs, frame } = useTexts();
  const texts = runs.rerunJob;
  const [from, setFrom] = useState<From>(first !== undefined ? 'task' : hasFailed ? 'failed' : 'start');
  const [task, setTask] = useState(first ?? tasks?.[0] ?? '');
  const [use, setUse] = useState<RerunUse>('snapshot');
  const press = useRef<OpenPress | null>(null);
  const asked = { from: from === 'task' ? task : from, use };
  const action = useMutation({
    mutationFn: () => {
      // Another choice is another request.
      press.current = pressKey(press.current, asked, randomKey);
      return rerun({ ...asked, key: press.current.key });
    },
    onSuccess: onClose,
  });
  const froms = [
    { value: 'start', label: texts.start, hint: texts.startHint },
    ...(hasFailed ? ([{ value: 'failed', label: texts.failed, hint: texts.failedHint }] as const) : []),
    { value: 'task', label: texts.task, hint: texts.taskHint },
  ] as const;
  const uses = [
    { value: 'snapshot', label: texts.snapshot, hint: texts.snapshotHint },
    { value: 'current', label: texts.current, hint: texts.currentHint },
  ] as const;
  return (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.confirm}
      dismiss={frame.cancel}
      action={action}
      onClose={onClose}
    >
      {tasks !== undefined && (
        <ChoiceList<From> legend={texts.from} choices={froms} value={from} onChange={setFrom} />
      )}
      {tasks !== undefined && from === 'task' && <TaskChoice tasks={tasks} value={task} onChange={setTask} />}
      <ChoiceList<RerunUse> legend={texts.use} choices={uses} value={use} onChange={setUse} />
      <ScriptSection calls={[script(asked)]} />
    </ConfirmDialog>
  );
}

interface TaskChoiceProps {
  readonly tasks: readonly string[];
  readonly value: string;
  onChange(task: string): void;
}

function TaskChoice({ tasks, value, onChange }: TaskChoiceProps): ReactNode {
  const { runs } = useTexts();
  const id = useId();
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>{runs.task}</label>
      </div>
      <select id={id} className="field-box" value={value} onChange={({ target }) => onChange(target.value)}>
        {tasks.map((task) => (
          <option key={task} value={task}>
            {task}
          </option>
        ))}
      </select>
    </div>
  );
}
