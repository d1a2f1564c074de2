import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { Delivery, DeliveryCalls } from './receiver.ts';

const askAgainMs = 500;

/** Sends a test and says how its first attempt went. */
export function TestButton({ calls }: { readonly calls: DeliveryCalls }): ReactNode {
  const client = useQueryClient();
  const { receivers } = useTexts().admin;
  const sent = useMutation({
    mutationFn: () => calls.test(),
    onSuccess: () => client.invalidateQueries({ queryKey: calls.queryKey }),
  });
  const id = sent.data?.id ?? 0;
  const { data = sent.data } = useQuery({
    queryKey: [...calls.queryKey, 'deliveries', 'test', id],
    queryFn: async ({ signal }) => {
      const delivery = await calls.read(id, signal);
      if (isSettled(delivery))
        void client.invalidateQueries({ queryKey: calls.queryKey, predicate: isOther });
      return delivery;
    },
    enabled: sent.isSuccess,
    refetchInterval: ({ state }) => (state.data && isSettled(state.data) ? false : askAgainMs),
  });
  return (
    <>
      <button
        type="button"
        className="button"
        data-style="secondary"
        disabled={sent.isPending}
        onClick={() => sent.mutate()}
      >
        {receivers.test}
      </button>
      <FormProblem error={sent.error} />
      <p role="status" className="test-outcome">
        {data && sent.isSuccess && <Outcome delivery={data} />}
      </p>
    </>
  );
}

function isOther({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return !queryKey.includes('test');
}

/** Whether its first attempt is over: an attempt counts from its start, its error is there at its end. */
function isSettled({ status, error }: Delivery): boolean {
  return status !== 'pending' || error !== null;
}

function Outcome({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { receivers } = useTexts().admin;
  const { status, error } = delivery;
  if (status === 'delivered')
    return (
      <span className="status" data-tone="success">
        {receivers.testArrived}
      </span>
    );
  if (!isSettled(delivery)) return receivers.testSent;
  return (
    <>
      <span className="status" data-tone="danger">
        {receivers.testFailed(error ?? '')}
      </span>{' '}
      {status === 'pending' && receivers.testUnseen}
    </>
  );
}
