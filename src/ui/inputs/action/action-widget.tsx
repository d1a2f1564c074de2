import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { formatDuration, formatValue, momentOf } from '../../kit/format-value.ts';
import { Icon } from '../../kit/icon.tsx';
import { useNow } from '../../kit/use-now.ts';
import type { WidgetBodyProps } from '../../kit/widget/widget-body.ts';
import { objectOf, textOf, toneOf } from '../../kit/widget/widget-config.ts';
import { useWidgetHost, widgetKey } from '../../kit/widget/widget-host.ts';
import type { InputWords } from '../../texts/en/widgets/inputs.ts';
import { useInputWords } from '../../texts/input-words.ts';
import { useWords } from '../../texts/words-context.ts';
import { readFields } from '../field/form-schema.ts';
import { ActionDialog } from './action-dialog.tsx';
import { secondsUntil } from './press.ts';
import { type Press, usePress } from './use-press.ts';

interface LastRun {
  readonly at: string;
  readonly outcome: string;
  /** Status of the job run that it started; null if it did not start one. */
  readonly status: string | null;
}

interface ActionPayload {
  readonly enabled: boolean;
  readonly reason: string | null;
  readonly last_run: LastRun | null;
  readonly cooldown_until: string | null;
  /** The fields of its input. */
  readonly fields: unknown;
}

const tickMs = 1000;
const lastRunTickMs = 15_000;
const askAgainMs = 3000;

/** A button that runs an action on the server. */
export function ActionWidget({ widgetId, data, config, title }: WidgetBodyProps): ReactNode {
  const words = useInputWords();
  const payload = objectOf<ActionPayload>(data, 'an action');
  const id = useId();
  const fields = useMemo(() => readFields(payload.fields), [payload.fields]);
  const press = usePress(widgetId, textOf(config, 'success_message'));
  const [asking, setAsking] = useState(false);
  const wait = useCooldown(widgetId, payload, press);
  const label = textOf(config, 'label') ?? title;
  const question = questionOf(config['confirm'], label, words);
  const refusal = reasonOf(payload, wait, words);
  const idle = refusal !== null || press.busy;
  const start = () => {
    if (idle) return;
    press.forget();
    if (fields.length > 0 || question !== null) setAsking(true);
    else void press.press({});
  };
  return (
    <div className="action">
      <button
        type="button"
        className="button"
        data-style={textOf(config, 'style') ?? 'primary'}
        data-busy={press.busy || undefined}
        aria-disabled={idle || undefined}
        aria-describedby={`${id}-reason`}
        onClick={start}
      >
        {press.busy && <Icon name="refresh" size={15} />}
        {label}
      </button>
      <p id={`${id}-reason`} className="action-reason">
        {refusal}
      </p>
      <div role="status" className="action-outcome">
        {press.busy && !asking ? (
          <p>{words.action.working}</p>
        ) : (
          press.outcome !== null &&
          !asking && (
            <p data-tone={press.outcome.tone}>
              <Icon name={press.outcome.tone === 'danger' ? 'alert' : 'check'} size={15} />
              <span>{press.outcome.message}</span>
            </p>
          )
        )}
      </div>
      {payload.last_run && <LastRunLine run={payload.last_run} />}
      {asking && (
        <ActionDialog
          widgetId={widgetId}
          label={label}
          style={textOf(config, 'style') ?? 'primary'}
          question={question}
          fields={fields}
          press={press}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** When the action last ran, and the outcome so far. */
function LastRunLine({ run }: { readonly run: LastRun }): ReactNode {
  const words = useInputWords();
  const { status: statusWords } = useWords();
  const now = useNow(lastRunTickMs);
  const status = run.status ?? run.outcome;
  return (
    <p className="last-run">
      <span>
        {words.action.lastRun}{' '}
        <time dateTime={run.at} title={formatValue(run.at, 'datetime')}>
          {formatValue(run.at, 'relative', { now: Math.max(now, Date.now()) })}
        </time>
      </span>
      <span className="badge" data-tone={toneOf(status)}>
        {statusWords(status)}
      </span>
    </p>
  );
}

/** `confirm` is true, or the question itself. */
function questionOf(confirm: unknown, label: string, words: InputWords): string | null {
  if (typeof confirm === 'string' && confirm !== '') return confirm;
  return confirm === true ? words.action.question(label) : null;
}

/** Why the button is unavailable; null if it is available. */
function reasonOf(
  { enabled, reason }: Partial<ActionPayload>,
  waitSeconds: number,
  words: InputWords,
): string | null {
  if (waitSeconds > 0) return words.action.againIn(formatDuration(waitSeconds));
  return enabled === false ? (reason ?? words.action.notNow) : null;
}

/** Seconds until the button is available, counted down. After that the widget is refetched until the server agrees. */
function useCooldown(widgetId: string, payload: Partial<ActionPayload>, press: Press): number {
  const client = useQueryClient();
  const { cacheKey } = useWidgetHost();
  const told = momentOf(payload.cooldown_until) ?? 0;
  const until = Math.max(told, press.outcome?.waitUntil ?? 0);
  const now = Math.max(useNow(until > Date.now() ? tickMs : null), Date.now());
  const outlived = told > 0 && told <= now && payload.enabled === false;
  useEffect(() => {
    if (!outlived) return;
    const queryKey = widgetKey({ cacheKey }, widgetId);
    const ask = () => void client.refetchQueries({ queryKey, type: 'active' });
    ask();
    const timer = setInterval(ask, askAgainMs);
    return () => clearInterval(timer);
  }, [client, cacheKey, widgetId, outlived]);
  return secondsUntil(until, now);
}
