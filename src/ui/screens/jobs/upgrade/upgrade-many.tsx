import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { ConfirmDialog } from '../../../frame/records/confirm-dialog.tsx';
import { ProgressBar } from '../../../kit/progress-bar.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { UpgradeItem } from './upgrade-item.tsx';
import {
  type JobUpgradeItem,
  type NamedJob,
  type UpgradeParts,
  type UpgradePhase,
  useUpgrades,
} from './use-upgrades.ts';

const partNames = ['template', 'tasks', 'dashboards'] as const;
const shownMax = 50;

interface UpgradeManyProps {
  /** The jobs that may need it. */
  read(): Promise<readonly NamedJob[]>;
  /** What is upgraded, unless chosen otherwise. */
  readonly parts: UpgradeParts;
  /** What is to be known of the jobs. */
  readonly note?: string | undefined;
}

/** The upgrade of many jobs at once: first the plan of each, then those that were chosen, exactly as planned. */
export function UpgradeMany({ read, parts: usual, note }: UpgradeManyProps): ReactNode {
  const { jobs } = useTexts();
  const client = useQueryClient();
  const [parts, setParts] = useState(usual);
  /** The plans are of these parts; null: there are none. */
  const [planned, setPlanned] = useState<UpgradeParts | null>(null);
  const upgrades = useUpgrades();
  const { items, busy } = upgrades;
  const look = useMutation({
    mutationFn: async () => {
      const found = await read();
      setPlanned(parts);
      void upgrades.plan(found, parts);
    },
  });
  const isBusy = busy !== null || look.isPending;
  const apply = async (ids: readonly number[]) => {
    if (planned === null) return;
    await upgrades.apply(ids, planned);
    for (const key of ['job', 'jobs', 'job-template', 'task', 'dashboard', 'dashboards'])
      void client.invalidateQueries({ queryKey: [key] });
  };
  return (
    <section className="panel stack" aria-labelledby="upgrade-many">
      <h2 id="upgrade-many">{jobs.many.title}</h2>
      <p className="hint">
        {jobs.many.hint}
        {note !== undefined && <> {note}</>}
      </p>
      <fieldset className="upgrade-parts" disabled={isBusy}>
        <legend>{jobs.many.partsTitle}</legend>
        {partNames.map((part) => (
          <label key={part} className="check-line">
            <input
              type="checkbox"
              checked={parts[part]}
              onChange={() => setParts({ ...parts, [part]: !parts[part] })}
            />
            <span>{jobs.many.parts[part]}</span>
          </label>
        ))}
      </fieldset>
      <div className="form-buttons">
        <button
          type="button"
          className="button"
          data-style="secondary"
          disabled={isBusy || !partNames.some((part) => parts[part])}
          onClick={() => look.mutate()}
        >
          {planned === null ? jobs.many.plan : jobs.many.planAgain}
        </button>
      </div>
      <FormProblem error={look.error} />
      {planned !== null && !look.isPending && look.error === null && (
        <Plans
          items={items}
          busy={busy}
          isOfParts={partNames.every((part) => planned[part] === parts[part])}
          onApply={(ids) => void apply(ids)}
          onRetry={(failed) => void upgrades.plan(failed, planned, true)}
          onStop={upgrades.stop}
        />
      )}
      <LeaveDialog isBusy={busy === 'upgrading'} />
    </section>
  );
}

interface PlansProps {
  readonly items: readonly JobUpgradeItem[];
  readonly busy: 'planning' | 'upgrading' | null;
  /** Whether the plans are of the parts that are chosen now. */
  readonly isOfParts: boolean;
  onApply(ids: readonly number[]): void;
  onRetry(failed: readonly NamedJob[]): void;
  onStop(): void;
}

function Plans({ items, busy, isOfParts, onApply, onRetry, onStop }: PlansProps): ReactNode {
  const { jobs } = useTexts();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [most, setMost] = useState(shownMax);
  const [round, setRound] = useState<readonly number[]>([]);
  const open = items.filter(({ phase }) => phase !== 'current' && phase !== 'waiting');
  // Nothing jumps while it is being worked on.
  const shown = busy === null ? open.toSorted((a, b) => urgency(b) - urgency(a)) : open;
  const planned = items.filter(({ phase }) => phase === 'planned');
  const chosen = planned.filter(({ id }) => !left.has(id));
  const failed = items.filter(({ phase }) => phase === 'failed');
  const toggle = (id: number) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  const begin = () => {
    const ids = chosen.map(({ id }) => id);
    setRound(ids);
    onApply(ids);
  };
  return (
    <>
      <Progress items={items} busy={busy} round={round} onStop={onStop} />
      {busy === null && <p role="status">{summaryOf(items, jobs.many)}</p>}
      {planned.length > 1 && busy === null && (
        <label className="check-line">
          <input
            type="checkbox"
            checked={chosen.length === planned.length}
            onChange={() =>
              setLeft(new Set(chosen.length === planned.length ? planned.map(({ id }) => id) : []))
            }
          />
          <span>{jobs.many.all(planned.length)}</span>
        </label>
      )}
      {busy === null && !isOfParts && <p className="hint">{jobs.many.otherParts}</p>}
      {busy === null && (
        <Buttons
          chosen={isOfParts ? chosen.length : 0}
          failed={failed}
          isShown={planned.length > 0}
          onApply={begin}
          onRetry={onRetry}
        />
      )}
      {shown.length > 0 && (
        <ul className="push-items">
          {shown.slice(0, most).map((item) => (
            <UpgradeItem
              key={item.id}
              item={item}
              isChosen={!left.has(item.id)}
              isBusy={busy !== null}
              onToggle={() => toggle(item.id)}
            />
          ))}
        </ul>
      )}
      {shown.length > most && (
        <button
          type="button"
          className="button"
          data-style="secondary"
          onClick={() => setMost(most + shownMax)}
        >
          {jobs.many.more(shown.length - most)}
        </button>
      )}
    </>
  );
}

interface ButtonsProps {
  readonly chosen: number;
  readonly failed: readonly NamedJob[];
  /** Whether there is anything to choose. */
  readonly isShown: boolean;
  onApply(): void;
  onRetry(failed: readonly NamedJob[]): void;
}

function Buttons({ chosen, failed, isShown, onApply, onRetry }: ButtonsProps): ReactNode {
  const { frame, jobs } = useTexts();
  const [asks, setAsks] = useState(false);
  if (!isShown && failed.length === 0) return null;
  return (
    <div className="form-buttons">
      {isShown && (
        <button type="button" className="button" disabled={chosen === 0} onClick={() => setAsks(true)}>
          {jobs.many.upgrade(chosen)}
        </button>
      )}
      {failed.length > 0 && (
        <button type="button" className="button" data-style="secondary" onClick={() => onRetry(failed)}>
          {jobs.many.retry(failed.length)}
        </button>
      )}
      {asks && (
        <ConfirmDialog
          title={jobs.many.confirmTitle(chosen)}
          confirm={jobs.many.upgrade(chosen)}
          dismiss={frame.cancel}
          action={{
            isPending: false,
            error: null,
            mutate() {
              setAsks(false);
              onApply();
            },
          }}
          onClose={() => setAsks(false)}
        >
          <p>{jobs.many.confirmHint}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface ProgressProps extends Pick<PlansProps, 'items' | 'busy' | 'onStop'> {
  /** The jobs that were chosen last. */
  readonly round: readonly number[];
}

function Progress({ items, busy, round, onStop }: ProgressProps): ReactNode {
  const { jobs } = useTexts();
  if (busy === null) return null;
  const ids = new Set(round);
  const of = busy === 'planning' ? items : items.filter(({ id }) => ids.has(id));
  const open: readonly UpgradePhase[] =
    busy === 'planning' ? ['waiting', 'planning'] : ['planned', 'upgrading'];
  const done = of.filter(({ phase }) => !open.includes(phase)).length;
  const label = jobs.many.progress[busy](done, of.length);
  return (
    <div className="upgrade-progress">
      <p>{label}</p>
      <ProgressBar label={label} ratio={of.length === 0 ? null : done / of.length} />
      <button type="button" className="button" data-style="secondary" onClick={onStop}>
        {jobs.many.stop}
      </button>
    </div>
  );
}

/** What somebody has to look at comes first. */
function urgency({ phase }: JobUpgradeItem): number {
  return phase === 'failed' ? 2 : phase === 'blocked' ? 1 : 0;
}

/** How many jobs are in which phase. */
function summaryOf(
  items: readonly JobUpgradeItem[],
  texts: ReturnType<typeof useTexts>['jobs']['many'],
): string {
  if (items.length === 0) return texts.noJobs;
  const counts = new Map<UpgradePhase, number>();
  for (const { phase } of items) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  if (counts.get('current') === items.length) return texts.allCurrent(items.length);
  const order = ['upgraded', 'planned', 'blocked', 'failed', 'current', 'waiting'] as const;
  return order
    .flatMap((phase) => {
      const count = counts.get(phase) ?? 0;
      return count === 0 ? [] : [`${count} ${texts.counts[phase]}`];
    })
    .join(' · ');
}
