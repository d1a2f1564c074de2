import type { ReactNode } from 'react';
import { When } from '../../../frame/records/moments.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Receiver } from './receiver.ts';

interface ReceiverProps {
  readonly receiver: Receiver;
}

/** Whether it is in use, and whether its newest attempts arrived. */
export function ReceiverState({ receiver }: ReceiverProps): ReactNode {
  const { receivers } = useTexts().admin;
  const { enabled, disabled_reason: reason, consecutive_failures: failures } = receiver;
  const isFailing = enabled && failures > 0;
  return (
    <>
      <span className="status" data-tone={enabled ? (isFailing ? 'danger' : 'success') : 'neutral'}>
        {enabled ? (isFailing ? receivers.failing(failures) : receivers.enabled) : receivers.disabled}
      </span>
      {reason !== null && <p className="record-error">{reason}</p>}
    </>
  );
}

/** The events that it is told of, in words, and of which jobs. */
export function WantedText({ receiver }: ReceiverProps): ReactNode {
  const { events: words, receivers } = useTexts().admin;
  const { events, job_ids: jobs, template_ids: templates, labels } = receiver;
  const scope = receivers.scoped(jobs?.length ?? 0, templates?.length ?? 0, labels ?? []);
  return (
    <>
      {events === '*' ? receivers.allEvents : events.map((event) => words[event]).join(', ')}
      {scope !== '' && <p className="record-facts">{scope}</p>}
    </>
  );
}

/** Its state, where it goes to, and when it last arrived. */
export function ReceiverFacts({ receiver, target }: ReceiverProps & { readonly target: string }): ReactNode {
  const { events: words, receivers } = useTexts().admin;
  const { events, job_ids: jobs, template_ids: templates, labels } = receiver;
  return (
    <ul className="facts">
      <li>
        <ReceiverState receiver={receiver} />
      </li>
      <li>{target}</li>
      <li>{events === '*' ? receivers.allEvents : events.map((event) => words[event]).join(', ')}</li>
      <li>
        {receivers.scoped(jobs?.length ?? 0, templates?.length ?? 0, labels ?? []) || receivers.everything}
      </li>
      {receiver.last_success_at !== null && (
        <li>
          {receivers.lastSuccess} <When at={receiver.last_success_at} />
        </li>
      )}
      {receiver.failing_since !== null && (
        <li>
          {receivers.failingSince} <When at={receiver.failing_since} />
        </li>
      )}
    </ul>
  );
}
