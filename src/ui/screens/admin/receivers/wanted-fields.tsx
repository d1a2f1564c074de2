import type { ReactNode } from 'react';
import { TextField } from '../../../frame/forms/text-field.tsx';
import { LabelField } from '../../../frame/labels/label-field.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Wanted } from './receiver.ts';
import { ScopeField } from './scope-field.tsx';

type Event = Exclude<Wanted['events'], '*'>[number];

interface WantedFieldsProps {
  readonly wanted: Wanted;
  onChange(wanted: Wanted): void;
}

/** What a receiver is told of: events, of which jobs, and from how many dead letters on. */
export function WantedFields({ wanted, onChange }: WantedFieldsProps): ReactNode {
  const { receivers } = useTexts().admin;
  const { events, job_ids, template_ids, labels, dead_letters_over: over } = wanted;
  const tellsOfLetters = events === '*' || events.includes('dead_letters.exceeded');
  return (
    <>
      <EventChoices events={events} onChange={(next) => onChange({ ...wanted, events: next })} />
      {tellsOfLetters && (
        <TextField
          label={receivers.deadLettersOver}
          hint={receivers.deadLettersHint}
          type="number"
          required
          value={Number.isNaN(over) ? '' : String(over)}
          onChange={(text) => onChange({ ...wanted, dead_letters_over: Number.parseInt(text, 10) })}
        />
      )}
      <ScopeField
        kind="jobs"
        label={receivers.jobs}
        value={job_ids ?? []}
        onChange={(ids) => onChange({ ...wanted, job_ids: ids.length === 0 ? null : ids })}
      />
      <ScopeField
        kind="job-templates"
        label={receivers.templates}
        value={template_ids ?? []}
        onChange={(ids) => onChange({ ...wanted, template_ids: ids.length === 0 ? null : ids })}
      />
      <LabelField
        place="field"
        label={receivers.labels}
        hint={receivers.scopeHint}
        value={labels ?? []}
        onChange={(next) => onChange({ ...wanted, labels: next.length === 0 ? null : [...next] })}
      />
    </>
  );
}

interface EventChoicesProps {
  readonly events: Wanted['events'];
  onChange(events: Wanted['events']): void;
}

function EventChoices({ events, onChange }: EventChoicesProps): ReactNode {
  const { admin } = useTexts();
  const known = Object.keys(admin.events).filter((event): event is Event => event !== 'webhook.test');
  const chosen = events === '*' ? known : events;
  const toggle = (event: Event) =>
    onChange(
      events !== '*' && events.includes(event)
        ? events.filter((one) => one !== event)
        : [...(events === '*' ? [] : events), event],
    );
  return (
    <fieldset className="choices">
      <legend>{admin.receivers.events}</legend>
      <label className="check-line">
        <input
          type="checkbox"
          checked={events === '*'}
          onChange={({ target }) => onChange(target.checked ? '*' : known)}
        />
        {admin.receivers.allEvents}
      </label>
      {events !== '*' &&
        known.map((event) => (
          <label key={event} className="check-line">
            <input type="checkbox" checked={chosen.includes(event)} onChange={() => toggle(event)} />
            {admin.events[event]}
          </label>
        ))}
    </fieldset>
  );
}
