import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import { ScriptSection } from '../../frame/forms/script-section.tsx';
import { ChoiceList } from '../../frame/records/choice-list.tsx';
import { ConfirmDialog } from '../../frame/records/confirm-dialog.tsx';
import { useApi } from '../../frame/state/api-context.ts';
import { type OpenPress, pressKey, randomKey } from '../../inputs/action/press.ts';
import type { ScriptCall } from '../../kit/script-call.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import type { Settlement } from './settle.ts';

type Use = 'snapshot' | 'current';

/** What is to be settled, and how. */
export interface SettleAsked {
  readonly way: 'replay' | 'discard';
  readonly settlements: readonly Settlement[];
  readonly rows: number;
  /** How many of the rows were corrected. */
  readonly corrected: number;
}

interface SettleDialogProps {
  readonly asked: SettleAsked;
  /** Called when letters were settled, with the runs that this started. */
  onSettled(runs: readonly number[]): void;
  onClose(): void;
}

/** Asks before rows are replayed or discarded. */
export function SettleDialog({ asked, onSettled, onClose }: SettleDialogProps): ReactNode {
  const api = useApi();
  const { letters, runs: texts, frame } = useTexts();
  const { way, settlements, rows, corrected } = asked;
  const [use, setUse] = useState<Use>('snapshot');
  const presses = useRef(new Map<Settlement, OpenPress>());
  const done = useRef({ settlements: new Set<Settlement>(), runs: [] as number[] });
  const action = useMutation({
    // One job after the other: what is done stays done, and trying again goes on with the rest.
    async mutationFn() {
      for (const settlement of settlements) {
        if (done.current.settlements.has(settlement)) continue;
        if (way === 'discard') await discard(api, settlement);
        else {
          const press = pressKey(presses.current.get(settlement) ?? null, use, randomKey);
          presses.current.set(settlement, press);
          done.current.runs.push(...(await replay(api, settlement, use, press.key)));
        }
        done.current.settlements.add(settlement);
      }
    },
    onSuccess() {
      onSettled(done.current.runs);
      onClose();
    },
  });
  const close = () => {
    if (done.current.settlements.size > 0) onSettled(done.current.runs);
    onClose();
  };
  const uses = [
    { value: 'snapshot', label: letters.snapshot, hint: letters.snapshotHint },
    { value: 'current', label: texts.rerunJob.current, hint: letters.currentHint },
  ] as const;
  const isReplay = way === 'replay';
  return (
    <ConfirmDialog
      title={isReplay ? letters.replayTitle(rows) : letters.discardTitle(rows)}
      confirm={isReplay ? letters.replay : letters.discard}
      dismiss={frame.cancel}
      danger={!isReplay}
      action={action}
      onClose={close}
    >
      <p className="dialog-question">{isReplay ? letters.replayHint : letters.discardHint}</p>
      {isReplay && corrected > 0 && <p>{letters.correctedRows(corrected, rows - corrected)}</p>}
      {isReplay && (
        <ChoiceList<Use> legend={texts.rerunJob.use} choices={uses} value={use} onChange={setUse} />
      )}
      <ScriptSection calls={settlements.map((settlement) => scriptOf(settlement, way, use))} />
    </ConfirmDialog>
  );
}

async function replay(
  api: Client,
  { owner, ...what }: Settlement,
  use: Use,
  key: string,
): Promise<readonly number[]> {
  const header = { 'Idempotency-Key': key };
  const body = replayBody(what, use);
  const { runs } =
    'job' in owner
      ? await api.POST('/api/jobs/{id}/dead-letters/replay', {
          params: { path: { id: owner.job }, header },
          body,
        })
      : await api.POST('/api/runs/{id}/dead-letters/replay', {
          params: { path: { id: owner.run }, header },
          body,
        });
  return runs.map(({ id }) => id);
}

async function discard(api: Client, { owner, ...what }: Settlement): Promise<void> {
  const body = discardBody(what);
  await ('job' in owner
    ? api.POST('/api/jobs/{id}/dead-letters/discard', { params: { path: { id: owner.job } }, body })
    : api.POST('/api/runs/{id}/dead-letters/discard', { params: { path: { id: owner.run } }, body }));
}

type Chosen = { readonly code: string } | Pick<ByNumber, 'ids' | 'items'>;
type ByNumber = Extract<Settlement, { readonly ids: readonly number[] }>;

function replayBody(what: Chosen, use: Use) {
  if ('code' in what) return { code: what.code, use };
  return {
    ...(what.ids.length > 0 && { ids: [...what.ids] }),
    ...(what.items.length > 0 && { items: what.items.map(({ id, item }) => ({ id, item: { ...item } })) }),
    use,
  };
}

function discardBody(what: Chosen) {
  return 'code' in what ? { code: what.code } : { ids: [...what.ids, ...what.items.map(({ id }) => id)] };
}

function scriptOf({ owner, ...what }: Settlement, way: SettleAsked['way'], use: Use): ScriptCall {
  const [group, of, id] = 'job' in owner ? ['jobs', '--job', owner.job] : ['runs', '--run', owner.run];
  const body = way === 'replay' ? replayBody(what, use) : discardBody(what);
  const chosen = 'code' in what ? [String(of), String(id), '--code', what.code] : wordsOf(what, way);
  const versions = way === 'replay' ? ['--use', use] : [];
  return {
    method: 'POST',
    path: `/api/${group}/${id}/dead-letters/${way}`,
    body,
    ...(chosen !== null && { command: ['dead-letters', way, ...chosen, ...versions, '--yes'] }),
  };
}

/** The letters as arguments; null where the command line has none for them: it corrects one at a time. */
function wordsOf({ ids, items }: Pick<ByNumber, 'ids' | 'items'>, way: SettleAsked['way']): string[] | null {
  const numbers = [...ids, ...items.map(({ id }) => id)].map(String);
  const [first, second] = items;
  if (way === 'discard' || first === undefined) return numbers;
  if (second !== undefined || ids.length > 0) return null;
  return [...numbers, '--row', JSON.stringify(first.item)];
}
