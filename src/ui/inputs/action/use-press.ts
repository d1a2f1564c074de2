import { useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useWidgetHost } from '../../kit/widget/widget-host.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { usePayload } from '../editor/use-payload.ts';
import { failureOf, type OpenPress, outcomeOf, type PressOutcome, pressKey, randomKey } from './press.ts';

export interface Press {
  readonly busy: boolean;
  readonly outcome: PressOutcome | null;
  forget(): void;
  /** Resolves to whether the action has run. A press during another one is ignored. */
  press(input: Readonly<Record<string, unknown>>): Promise<boolean>;
}

/** Runs an action, and then refreshes all visible widgets. */
export function usePress(widgetId: string, successMessage: string | null): Press {
  const words = useInputWords();
  const payload = usePayload(widgetId);
  const { calls } = useWidgetHost();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<PressOutcome | null>(null);
  // A second click arrives before the state of the first one is rendered.
  const running = useRef(false);
  const open = useRef<OpenPress | null>(null);
  return {
    busy,
    outcome,
    forget: () => setOutcome(null),
    press: async (input) => {
      if (running.current) return false;
      running.current = true;
      setBusy(true);
      setOutcome(null);
      const now = pressKey(open.current, input, randomKey);
      open.current = now;
      try {
        const answer = await calls.act(widgetId, input, now.key);
        open.current = null;
        setOutcome(outcomeOf(answer, successMessage, words));
        payload.renewAll();
        return true;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 0)) open.current = null;
        setOutcome(failureOf(error, Date.now(), words));
        return false;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
  };
}
