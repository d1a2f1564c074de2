import { isDeepStrictEqual } from 'node:util';
import type { PartsAsk } from '../../base/run-parts.ts';
import type { Redactor } from '../../base/text/redactor.ts';
import type { Completion, DeadLetterBatch, MetricBatch, Progress } from '../../protocol/control-plane.ts';

/*
 * What executors say, without what must not be shown: nothing else of it reaches the store. Executors redact too, those of
 * another make may not.
 */

/** Most runs end without a word of their own: their secrets need not be looked up. */
export function saysNothing({ failure, steps, outputs, reason, args, connectors = [] }: Completion): boolean {
  if (failure !== null || outputs !== null || reason !== '') return false;
  if (connectors.some(({ last_error }) => last_error !== null)) return false;
  const hasArgs = args !== null && Object.keys(args).length > 0;
  return !hasArgs && steps.every((step) => isSilent(step));
}

function isSilent({ error, cursor, schema_changes, ...found }: Completion['steps'][number]): boolean {
  const { losses, verification } = found;
  return (
    error === '' &&
    cursor === null &&
    schema_changes.length === 0 &&
    losses === undefined &&
    verification === undefined
  );
}

export function redactedCompletion(completion: Completion, redactor: Redactor): Completion {
  if (!redactor.isActive) return completion;
  const { failure, connectors } = completion;
  return {
    ...completion,
    reason: redactor.text(completion.reason),
    failure: failure && {
      code: redactor.text(failure.code),
      message: redactor.text(failure.message),
      step_id: redactor.text(failure.step_id),
    },
    steps: completion.steps.map((step) => ({
      ...step,
      step_id: redactor.text(step.step_id),
      kind: redactor.text(step.kind),
      error: redactor.text(step.error),
      cursor: redactor.value(step.cursor),
      ...redactedChanges(step, redactor),
    })),
    args: redactor.value(completion.args),
    outputs: redactor.value(completion.outputs),
    ...(connectors !== undefined && { connectors: redactor.value(connectors) }),
  };
}

function redactedChanges(
  { schema_changes, losses, verification }: Completion['steps'][number],
  redactor: Redactor,
) {
  return {
    schema_changes: redactor.value(schema_changes),
    ...(losses !== undefined && { losses: redactor.value(losses) }),
    ...(verification !== undefined && { verification: redactor.value(verification) }),
  };
}

export function redactedDeadLetters(batch: DeadLetterBatch, redactor: Redactor): DeadLetterBatch {
  if (!redactor.isActive) return batch;
  return { ...batch, items: redactor.value(batch.items) };
}

/** What an offer gives to others cannot be changed: with something that must not be shown nobody else takes part. */
export function redactedParts(ask: PartsAsk, redactor: Redactor): PartsAsk {
  if (!redactor.isActive) return ask;
  const { offer, ended } = ask;
  const order = offer?.order ?? null;
  const isPlain = order === null || isDeepStrictEqual(redactor.value(order), order);
  return {
    ...ask,
    offer: offer && {
      ...offer,
      labels: offer.labels.map((label) => redactor.text(label)),
      ...(!isPlain && { helpers: 0, order: null }),
    },
    ended: ended && {
      ...ended,
      error: redactor.text(ended.error),
      steps: ended.steps.map((step) => ({
        ...step,
        error: redactor.text(step.error),
        ...redactedChanges(step, redactor),
      })),
    },
  };
}

export function redactedProgress(progress: Progress, redactor: Redactor): Progress {
  return redactor.isActive ? { ...progress, step_id: redactor.text(progress.step_id) } : progress;
}

export function redactedMetrics(batch: MetricBatch, redactor: Redactor): MetricBatch {
  if (!redactor.isActive) return batch;
  const metrics = batch.metrics.map((metric) => ({
    ...metric,
    name: redactor.text(metric.name),
    tags: redactor.value(metric.tags),
  }));
  return { ...batch, metrics };
}
