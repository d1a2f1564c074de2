import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { components } from '../../../../client/openapi-types.ts';
import { SaveProblem } from '../../../frame/forms/save-problem.tsx';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { Filter } from '../../../frame/records/filter.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useCatalogue, useTexts } from '../../../texts/texts-context.tsx';
import { useScheduleText } from '../parts/schedule-text.ts';

const presets = {
  hourly: '0 * * * *',
  nightly: '0 2 * * *',
  weekdays: '0 6 * * 1-5',
  monthly: '0 3 1 * *',
} as const;
const overlaps = ['skip', 'queue_one', 'queue_all', 'cancel_running', 'allow'] as const;
const shownTimes = 5;
/** With the zone's name: two times of a clock that is set back look alike otherwise. */
const timeParts: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
};
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

type Trigger = components['schemas']['Trigger'];

interface TriggerFormProps {
  readonly jobId: number;
  /** Null: a new one. */
  readonly saved: Trigger | null;
  onClose(): void;
}

/** A schedule, in words and with its next times while it is typed. */
export function TriggerForm({ jobId, saved, onClose }: TriggerFormProps): ReactNode {
  const api = useApi();
  const client = useQueryClient();
  const { jobs, connectors, frame } = useTexts();
  const [name, setName] = useState(saved?.name ?? '');
  const [cron, setCron] = useState<string>(saved?.cron ?? presets.nightly);
  const [timezone, setTimezone] = useState(saved?.timezone ?? ownZone);
  const [overlap, setOverlap] = useState<string>(saved?.overlap ?? 'skip');
  const body = {
    cron,
    timezone,
    overlap: overlaps.find((one) => one === overlap) ?? 'skip',
    ...(name !== '' && { name }),
  };
  const save = useMutation({
    mutationFn: (base: Trigger | null) => {
      if (base === null)
        return api.POST('/api/jobs/{id}/triggers', { params: { path: { id: jobId } }, body });
      const header = { 'If-Match': `"${base.version}"` };
      return api.PUT('/api/triggers/{id}', { params: { path: { id: base.id }, header }, body });
    },
    onSuccess: () => leave(),
  });
  const leave = () => {
    void client.invalidateQueries({ queryKey: ['job', jobId, 'triggers'] });
    onClose();
  };
  const preset = Object.entries(presets).find(([, text]) => text === cron)?.[0];
  return (
    <form
      className="stack trigger-form"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(saved);
      }}
    >
      <div className="config-fields">
        <Filter
          label={jobs.often}
          any={jobs.custom}
          options={Object.keys(presets).map((key) => [key, jobs.presets[key as keyof typeof presets]])}
          value={preset}
          onChange={(key) => setCron(presets[key as keyof typeof presets] ?? '')}
        />
        <TextField label={jobs.cron} hint={jobs.cronHint} required value={cron} onChange={setCron} />
        <Filter
          label={jobs.timezone}
          any={null}
          options={Intl.supportedValuesOf('timeZone')
            .concat('UTC')
            .map((zone) => [zone, zone])}
          value={timezone}
          onChange={setTimezone}
        />
        <Filter
          label={jobs.overlap}
          any={null}
          options={overlaps.map((key) => [key, jobs.overlaps[key]])}
          value={overlap}
          onChange={setOverlap}
        />
        <TextField label={connectors.name} value={name} onChange={setName} />
      </div>
      <NextTimes cron={cron} timezone={timezone} />
      <SaveProblem
        error={save.error}
        mine={body}
        read={(signal) => api.GET('/api/triggers/{id}', { params: { path: { id: saved?.id ?? 0 } }, signal })}
        onKeep={(theirs) => save.mutate(theirs)}
        onTake={leave}
      />
      <div className="form-buttons">
        <button type="submit" className="button" disabled={save.isPending}>
          {connectors.save}
        </button>
        <button type="button" className="button button-plain" onClick={onClose}>
          {frame.cancel}
        </button>
      </div>
    </form>
  );
}

/** The schedule in words and its next times, with what a change of the clock does to them. */
function NextTimes({ cron, timezone }: { readonly cron: string; readonly timezone: string }): ReactNode {
  const api = useApi();
  const { texts, locale } = useCatalogue();
  const { jobs } = texts;
  const textOf = useScheduleText();
  const times = new Intl.DateTimeFormat(locale, { ...timeParts, timeZone: timezone });
  const preview = useQuery({
    queryKey: ['schedule', cron, timezone],
    queryFn: ({ signal }) =>
      api.POST('/api/triggers/preview', { body: { cron, timezone, count: shownTimes }, signal }),
    enabled: cron.trim() !== '',
    placeholderData: (before) => before,
    retry: false,
  });
  return (
    <div className="next-times" role="status">
      {preview.error === null ? (
        <>
          <p>
            <strong>{textOf(cron)}</strong>
          </p>
          <ol>
            {preview.data?.upcoming.map(({ at, local, note }) => (
              <li key={at}>
                <time dateTime={at} title={local}>
                  {times.format(new Date(at))}
                </time>
                {note !== null && <span className="record-facts"> {note}</span>}
              </li>
            ))}
          </ol>
          <p className="field-hint">{jobs.nextTimesHint}</p>
        </>
      ) : (
        <p className="form-problem">{preview.error.message}</p>
      )}
    </div>
  );
}
