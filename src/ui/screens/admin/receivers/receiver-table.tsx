import type { ReactNode } from 'react';
import { ListHead } from '../../../frame/records/list-head.tsx';
import { When } from '../../../frame/records/moments.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Receiver } from './receiver.ts';
import { ReceiverState, WantedText } from './receiver-state.tsx';

interface ReceiverTableProps<One extends Receiver> {
  readonly receivers: readonly One[];
  /** Its name, which leads to it. */
  link(receiver: One): ReactNode;
  /** Where its messages go. */
  target(receiver: One): string;
}

/** Receivers with their state and what they are told of. */
export function ReceiverTable<One extends Receiver>(props: ReceiverTableProps<One>): ReactNode {
  const { receivers, link, target } = props;
  const { admin, jobs, runs } = useTexts();
  return (
    <table className="list run-list">
      <ListHead
        columns={[
          { label: jobs.name },
          { label: runs.status },
          { label: admin.receivers.events, isWide: true },
          { label: admin.receivers.lastSuccess, isWide: true },
        ]}
      />
      <tbody>
        {receivers.map((receiver) => (
          <tr key={receiver.id}>
            <td>
              {link(receiver)}
              <p className="record-facts">{target(receiver)}</p>
            </td>
            <td>
              <ReceiverState receiver={receiver} />
            </td>
            <td className="wide-only">
              <WantedText receiver={receiver} />
            </td>
            <td className="wide-only">
              <When at={receiver.last_success_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
