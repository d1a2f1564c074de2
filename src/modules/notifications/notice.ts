import type { WebhookEvent, WebhookEventKind, WebhookPayload } from '../webhooks/webhook-event.ts';

/** What made a job run fail: the run, where in it, and its first message, as logs have it. */
export interface Failure {
  readonly run_id: number;
  readonly task: string;
  readonly step: string | null;
  readonly message: string;
}

/** An event as the outbox holds it for channels. */
export type ChannelPayload = WebhookPayload & { readonly failure: Failure | null };

/** A message for people, before it has the form of a channel. Texts are plain. */
export interface Notice {
  readonly tone: 'danger' | 'success' | 'info';
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Why, in the words of what failed; null where there is nothing to say. */
  readonly message: string | null;
  /** The page to look at; null where the server does not know its own address. */
  readonly link: string | null;
}

const NAME_LENGTH_MAX = 200;
const MESSAGE_LENGTH_MAX = 1_000;
const CHANGES_SHOWN_MAX = 10;

type Told = Omit<Notice, 'link' | 'facts' | 'message'> & {
  readonly facts: readonly (readonly [string, string | null])[];
  /** Under the server's address. */
  readonly path: string;
};

const LATE_STATES = {
  not_fired: 'The trigger has not fired',
  not_started: 'Its run waits in the queue',
  sla: 'Its run has not succeeded within the SLA',
} as const;

type Data<K extends WebhookEventKind> = Extract<WebhookEvent, { type: K }>['data'];

const DESCRIBE: { readonly [K in WebhookEventKind]: (data: Data<K>) => Told } = {
  'job_run.succeeded': (data) => ({
    tone: 'success',
    title: `${job(data)} succeeded${data.status === 'warning' ? ' with warnings' : ''}`,
    facts: [['Ended', moment(data.ended_at)]],
    path: jobRun(data),
  }),
  'job_run.failed': (data) => ({
    tone: 'danger',
    title: `${job(data)} failed`,
    facts: ended(data),
    path: jobRun(data),
  }),
  'run.failing': (data) => ({
    tone: 'danger',
    title: `${job(data)} is failing`,
    facts: ended(data),
    path: jobRun(data),
  }),
  'run.recovered': (data) => ({
    tone: 'success',
    title: `${job(data)} has recovered`,
    facts: [
      ['Failing since', moment(data.since)],
      ['Failed runs', String(data.failed_job_runs)],
      ['Succeeded', moment(data.ended_at)],
    ],
    path: jobRun(data),
  }),
  'trigger.paused': (data) => ({
    tone: 'danger',
    title: `The trigger “${short(data.trigger_name)}” was paused`,
    facts: [
      ['Job', short(data.job_name)],
      data.reason === 'schema_change'
        ? ['Reason', 'The columns of a target have changed']
        : ['Failures in a row', String(data.consecutive_failures)],
    ],
    path: `/jobs/${data.job_id}?view=triggers`,
  }),
  'job.late': (data) => ({
    tone: 'danger',
    title: `${job(data)} is late`,
    facts: [
      ['Trigger', data.trigger_name === null ? null : short(data.trigger_name)],
      ['Due', moment(data.due_at)],
      ['State', LATE_STATES[data.reason]],
    ],
    path: data.job_run_id === null ? `/jobs/${data.job_id}` : `/job-runs/${data.job_run_id}`,
  }),
  'dead_letters.exceeded': (data) => ({
    tone: 'danger',
    title: `${job(data)} has ${data.open} open dead ${data.open === 1 ? 'letter' : 'letters'}`,
    facts: [['Alert above', String(data.over)]],
    path: `/dead-letters?job=${data.job_id}`,
  }),
  'executor.lost': (data) => ({
    tone: 'danger',
    title: `The executor “${short(data.executor_name)}” is lost`,
    facts: [['Last seen', moment(data.last_seen_at)]],
    path: '/admin/executors',
  }),
  'schema.changed': (data) => ({
    tone: 'info',
    title: `${job(data)} has changed the columns of a target`,
    facts: [
      ['Task', short(data.task_key)],
      ...data.changes
        .slice(0, CHANGES_SHOWN_MAX)
        .map(({ object, column, from, to }): [string, string] => [
          short(`${object}.${column}`),
          short(from === null ? `added as ${to}` : `${from} → ${to}`),
        ]),
      [
        'More changes',
        data.changes.length > CHANGES_SHOWN_MAX ? String(data.changes.length - CHANGES_SHOWN_MAX) : null,
      ],
    ],
    path: `/runs/${data.run_id}`,
  }),
  'webhook.test': () => ({
    tone: 'info',
    title: 'Test of a notification channel',
    facts: [['Result', 'It works: alerts of this channel arrive here']],
    path: '/admin/notifications',
  }),
};

/** What a channel tells people of an event. `publicUrl` is the address of the page, without a slash at its end. */
export function noticeOf(payload: ChannelPayload, publicUrl: string | null): Notice {
  const describe = DESCRIBE[payload.type] as (data: unknown) => Told;
  const { path, facts, ...told } = describe(payload.data);
  const { failure } = payload;
  const where: readonly (readonly [string, string | null])[] =
    failure === null
      ? []
      : [
          ['Task', short(failure.task)],
          ['Step', failure.step === null ? null : short(failure.step)],
        ];
  return {
    ...told,
    facts: [...where, ...facts].filter((fact): fact is [string, string] => fact[1] !== null),
    message: failure === null || failure.message === '' ? null : short(failure.message, MESSAGE_LENGTH_MAX),
    link: publicUrl === null ? null : `${publicUrl.replace(/\/+$/, '')}${path}`,
  };
}

function job({ job_name }: { readonly job_name: string }): string {
  return `The job “${short(job_name)}”`;
}

function jobRun({ job_run_id }: { readonly job_run_id: number }): string {
  return `/job-runs/${job_run_id}`;
}

function ended({ scheduled_for, ended_at }: Data<'job_run.failed'>): Told['facts'] {
  return [
    ['Scheduled for', moment(scheduled_for)],
    ['Ended', moment(ended_at)],
  ];
}

/** To the minute, for people: nobody knows where they read it. */
function moment(at: string | null): string | null {
  return at === null ? null : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** On one line, without a half of a character at its end. */
function short(text: string, lengthMax = NAME_LENGTH_MAX): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= lengthMax) return line;
  return `${line.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
