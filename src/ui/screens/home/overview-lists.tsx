import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '../../../client/openapi-types.ts';
import { LabelChips } from '../../frame/labels/label-chips.tsx';
import { Elapsed, When } from '../../frame/records/moments.tsx';
import { StatusBadge } from '../../frame/records/status-badge.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatValue } from '../../kit/format-value.ts';
import { Icon } from '../../kit/icon.tsx';
import { useCatalogue } from '../../texts/texts-context.tsx';
import { wordOf } from '../../texts/word-of.ts';

type Overview = components['schemas']['Overview'];

interface EntryProps {
  readonly link: ReactNode;
  readonly detail: ReactNode;
  readonly time: ReactNode;
  /** Of its job. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Nothing that needs a look. */
function AllWell({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="empty all-well">
      <Icon name="check" size={20} />
      <p>{children}</p>
    </div>
  );
}

/** One thing that needs a look: what, why, since when. */
export function Entry({ link, detail, time, labels = {} }: EntryProps): ReactNode {
  return (
    <li>
      <span className="record-name">{link}</span>
      <span className="overview-time">{time}</span>
      <span className="record-facts">{detail}</span>
      <LabelChips labels={labels} to="/" />
    </li>
  );
}

function JobRunLink({ id, name }: { readonly id: number; readonly name: string }): ReactNode {
  return (
    <Link to="/job-runs/$id" params={{ id: String(id) }} className="record-link">
      {name} <span className="record-id">#{id}</span>
    </Link>
  );
}

type ShownJobRun = Overview['running'][number];

interface JobRunListProps {
  readonly jobRuns: readonly ShownJobRun[];
  /** In place of an empty list. */
  readonly empty: ReactNode;
  readonly hasLabels?: boolean;
  detailOf(jobRun: ShownJobRun): ReactNode;
  timeOf?(jobRun: ShownJobRun): ReactNode;
}

function JobRunList({
  jobRuns,
  empty,
  hasLabels = false,
  detailOf,
  timeOf = ({ ended_at, created_at }) => <When at={ended_at ?? created_at} />,
}: JobRunListProps): ReactNode {
  if (jobRuns.length === 0) return empty;
  return (
    <ul className="overview-list">
      {jobRuns.map((jobRun) => (
        <Entry
          key={jobRun.id}
          link={<JobRunLink id={jobRun.id} name={jobRun.job_name} />}
          {...(hasLabels && { labels: jobRun.job_labels })}
          detail={detailOf(jobRun)}
          time={timeOf(jobRun)}
        />
      ))}
    </ul>
  );
}

interface JobRunsProps {
  readonly jobRuns: readonly ShownJobRun[];
}

export function RunningList({ jobRuns }: JobRunsProps): ReactNode {
  const { home } = useCatalogue().texts;
  return (
    <JobRunList
      jobRuns={jobRuns}
      empty={<EmptyState>{home.nothingRuns}</EmptyState>}
      hasLabels
      detailOf={({ trigger_name }) => trigger_name}
      timeOf={({ started_at }) => <Elapsed from={started_at} to={null} />}
    />
  );
}

export function FailingList({ jobRuns }: JobRunsProps): ReactNode {
  const { home } = useCatalogue().texts;
  return (
    <JobRunList
      jobRuns={jobRuns}
      empty={<AllWell>{home.nothingFails}</AllWell>}
      hasLabels
      detailOf={({ error }) => error && <span className="record-error">{error.message}</span>}
    />
  );
}

export function RecentList({ jobRuns }: JobRunsProps): ReactNode {
  const { home } = useCatalogue().texts;
  return (
    <JobRunList
      jobRuns={jobRuns}
      empty={<EmptyState>{home.nothingRecent}</EmptyState>}
      detailOf={({ status }) => <StatusBadge status={status} />}
    />
  );
}

export function UpcomingList({ triggers }: { readonly triggers: Overview['upcoming'] }): ReactNode {
  const { home } = useCatalogue().texts;
  if (triggers.length === 0) return <EmptyState>{home.nothingUpcoming}</EmptyState>;
  return (
    <ul className="overview-list">
      {triggers.map((trigger) => (
        <Entry
          key={trigger.id}
          link={
            <Link to="/jobs/$id" params={{ id: String(trigger.job_id) }} className="record-link">
              {trigger.job_name}
            </Link>
          }
          detail={trigger.name}
          time={<When at={trigger.due_at} />}
        />
      ))}
    </ul>
  );
}

interface LateListProps extends JobRunsProps {
  readonly triggers: Overview['late'];
}

/** Triggers without their last run, and job runs past their SLA: the most overdue of both first, each job run once. */
export function LateList({ triggers, jobRuns }: LateListProps): ReactNode {
  const { home } = useCatalogue().texts;
  const shown = new Set<number | null>(jobRuns.map(({ id }) => id));
  const entries = [
    ...triggers.filter(({ job_run_id }) => !shown.has(job_run_id)).map(lateTrigger),
    ...jobRuns.map(lateJobRun),
  ].sort((a, b) => a.due.localeCompare(b.due));
  if (entries.length === 0) return <AllWell>{home.nothingLate}</AllWell>;
  return (
    <ul className="overview-list">
      {entries.map(({ key, link, reason, due }) => (
        <Entry key={key} link={link} detail={wordOf(home.lateReasons, reason)} time={<When at={due} />} />
      ))}
    </ul>
  );
}

function lateTrigger({ id, name, job_id, job_name, reason, due_at }: Overview['late'][number]) {
  const link = (
    <Link to="/runs" search={{ job: job_id, trigger: id }} className="record-link">
      {job_name} <span className="record-id">{name}</span>
    </Link>
  );
  return { key: `${id} ${reason}`, link, reason, due: due_at };
}

function lateJobRun({ id, job_name, sla_at, created_at }: ShownJobRun) {
  const link = <JobRunLink id={id} name={job_name} />;
  return { key: `job run ${id}`, link, reason: 'sla', due: sla_at ?? created_at };
}

export function LetterList({ letters }: { readonly letters: Overview['dead_letters'] }): ReactNode {
  const { texts, locale } = useCatalogue();
  const { home } = texts;
  if (letters.newest.length === 0) return <AllWell>{home.noLetters}</AllWell>;
  return (
    <>
      <p className="field-hint">{home.open(formatValue(letters.open, 'integer', { locale }))}</p>
      <ul className="overview-list">
        {letters.newest.map((letter) => (
          <Entry
            key={letter.id}
            link={
              <Link
                to="/runs/$id"
                params={{ id: String(letter.run_id) }}
                hash="letters"
                className="record-link"
              >
                {letter.message}
              </Link>
            }
            detail={[letter.job_name, letter.task_name, letter.step_id].filter(Boolean).join(' · ')}
            time={<When at={letter.created_at} />}
          />
        ))}
      </ul>
    </>
  );
}
