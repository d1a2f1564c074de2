import type { RunOutcome } from '../../base/run-report.ts';
import type { Redactor } from '../../base/text/redactor.ts';
import type { RunPorts } from '../../engine/run.ts';
import { fieldsJson } from '../log/cut-line.ts';
import { plainLetter } from './plain-item.ts';

/**
 * Takes the secrets of a run's connectors out of all that the run tells: lines, metrics and failed items, before anything of it
 * is cut, leaves the runner's process or reaches a disk. Cursors are left alone: changed, they would be wrong.
 */
export function redactedPorts(ports: RunPorts, redactor: Redactor): RunPorts {
  const { log, metric, deadLetters } = ports;
  const plainDeadLetters: RunPorts['deadLetters'] = (items) =>
    deadLetters(items.map((letter) => plainLetter(letter, redactor)));
  if (!redactor.isActive) return { ...ports, deadLetters: plainDeadLetters };
  return {
    ...ports,
    log(level, stepId, message, fields) {
      const json = fieldsJson(fields);
      const told = json === null ? undefined : redactor.value(JSON.parse(json));
      log(level, stepId, redactor.text(message), told);
    },
    metric: (told) => metric({ ...told, name: redactor.text(told.name), tags: redactor.value(told.tags) }),
    deadLetters: plainDeadLetters,
  };
}

/** What the run ended with, in the same way. */
export function redactedOutcome(outcome: RunOutcome, redactor: Redactor): RunOutcome {
  if (!redactor.isActive) return outcome;
  const { failure, steps } = outcome;
  return {
    ...outcome,
    failure: failure && { ...failure, message: redactor.text(failure.message) },
    steps: steps.map((step) => ({ ...step, error: redactor.text(step.error) })),
  };
}
