import type { Clock } from '../../base/clock.ts';
import type { PartsAnswer } from '../../base/run-parts.ts';
import type { DeadLetter, Metric, RowOrigin, RunOutcome, StepProgress } from '../../base/run-report.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { Redactor } from '../../base/text/redactor.ts';
import type { RunPorts } from '../../engine/run.ts';
import type { LogLine } from '../../protocol/control-plane.ts';
import { cutText, jsonText, logLineOf } from '../log/log-line.ts';
import type { Ask } from './runner-messages.ts';

/** JSON of one failed item; a larger one is stored as its beginning. */
const ITEM_BYTES_MAX = 256 * 1024;
const BEGINNING_BYTES = 32 * 1024;
const MESSAGE_BYTES_MAX = 8 * 1024;
/** Of what a run received, and of what it gave. */
const ARGS_BYTES_MAX = 128 * 1024;
const BOUND_BYTES_MAX = 1024;
/** JSON of the value that did not fit, and of a row's origin; the whole row has the rest. */
const VALUE_BYTES_MAX = 8 * 1024;
const VALUE_BEGINNING_BYTES = 1024;

/** Where a run's reports go, and who answers what it asks. */
export interface RunSink {
  log(line: LogLine): void;
  progress(progress: StepProgress): void;
  metric(metric: Metric): void;
  ask(ask: Ask): Promise<unknown>;
}

export interface RunPortsOptions {
  readonly clock: Clock;
  readonly logLineBytesMax: number;
  /** Of the secrets of the run's connectors. */
  readonly redactor: Redactor;
  /** Whether the control plane keeps parts. */
  readonly keepsParts: boolean;
}

type Answer<Name extends keyof Omit<RunPorts, 'parts'>> = ReturnType<RunPorts[Name]>;

/**
 * What the engine reports and asks through. The secrets of the run's connectors are taken out of lines, metrics and failed items
 * before anything is cut, leaves the runner's process or reaches a disk. Cursors are left alone: changed, they would be wrong.
 */
export function createRunPorts(sink: RunSink, options: RunPortsOptions): RunPorts {
  const { clock, logLineBytesMax, redactor, keepsParts } = options;
  return {
    log(level, stepId, message, fields) {
      sink.log(logLineOf({ at: clock.now(), level, stepId, message, fields }, logLineBytesMax, redactor));
    },
    progress: (progress) => sink.progress(progress),
    metric(metric) {
      sink.metric({ ...metric, name: redactor.text(metric.name), tags: redactor.value(metric.tags) });
    },
    deadLetters: async (items) => {
      await sink.ask({ kind: 'dead_letters', items: items.map((letter) => plainLetter(letter, redactor)) });
    },
    replayRows: (after) => sink.ask({ kind: 'replay_rows', after }) as Answer<'replayRows'>,
    checkpoint: (name) => sink.ask({ kind: 'checkpoint', name }) as Answer<'checkpoint'>,
    saveCheckpoint: (name, value, expectedVersion) =>
      sink.ask({ kind: 'save_checkpoint', name, value, expectedVersion }) as Answer<'saveCheckpoint'>,
    ...(keepsParts && { parts: (ask) => sink.ask({ kind: 'parts', ask }) as Promise<PartsAnswer> }),
  };
}

/** What the run ended with, without secrets. */
export function redactedOutcome(outcome: RunOutcome, redactor: Redactor): RunOutcome {
  const { failure, steps, connectors } = outcome;
  return {
    ...outcome,
    failure: failure && { ...failure, message: redactor.text(failure.message) },
    steps: steps.map((step) => ({
      ...step,
      error: redactor.text(step.error),
      schema_changes: redactor.value(step.schema_changes),
      ...(step.losses !== undefined && { losses: redactor.value(step.losses) }),
      ...(step.verification !== undefined && { verification: redactor.value(step.verification) }),
      cursor: step.cursor && {
        from: plainBound(step.cursor.from, redactor),
        to: plainBound(step.cursor.to, redactor),
      },
    })),
    args: plainArgs(outcome.args, redactor),
    outputs: plainArgs(outcome.outputs, redactor),
    ...(connectors !== undefined && { connectors: redactor.value(connectors) }),
  };
}

/** A bound as it is shown: numbers as they are, texts without what is too long to be one. */
function plainBound(bound: unknown, redactor: Redactor): unknown {
  return typeof bound === 'string' ? cutText(redactor.text(bound), BOUND_BYTES_MAX) : bound;
}

/** What the task received or gave, without secrets; null where one message could not carry it. */
function plainArgs(args: RunOutcome['args'], redactor: Redactor): RunOutcome['args'] {
  const json = jsonText(args);
  if (json === '') return null;
  const text = redactor.json(json);
  return Buffer.byteLength(text) > ARGS_BYTES_MAX
    ? null
    : (parseJsonText(text) as Readonly<Record<string, unknown>>);
}

/** The letter as JSON can hold it and one message can carry it, without secrets. */
function plainLetter(letter: DeadLetter, redactor: Redactor): DeadLetter {
  const { origin, column } = letter;
  const plainValue = (value: unknown) => plain(value, redactor, VALUE_BYTES_MAX, VALUE_BEGINNING_BYTES);
  return {
    ...letter,
    item: plain(letter.item, redactor, ITEM_BYTES_MAX, BEGINNING_BYTES),
    message: cutText(redactor.text(letter.message), MESSAGE_BYTES_MAX),
    ...(origin !== undefined && { origin: plainValue(origin) as RowOrigin }),
    ...(column !== undefined && { column: redactor.text(column), value: plainValue(letter.value) }),
  };
}

function plain(value: unknown, redactor: Redactor, bytesMax: number, beginningBytes: number): unknown {
  const json = jsonText(value);
  if (json === '') return null;
  const text = redactor.json(json);
  const bytes = Buffer.byteLength(text);
  if (bytes > bytesMax) return { cut: true, bytes, beginning: cutText(text, beginningBytes) };
  return parseJsonText(text);
}
