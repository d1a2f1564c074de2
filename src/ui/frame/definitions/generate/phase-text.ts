import type { Texts } from '../../../texts/en/texts.ts';
import type { GenerationStep } from './generate-text.ts';

/** What the model is at. A phase that only a newer server knows is shown as it is. */
export function phaseText({ phases, phase }: Texts['generate'], step: GenerationStep): string {
  return Object.hasOwn(phases, step.phase)
    ? phases[step.phase](step.attempt)
    : phase(step.phase, step.attempt);
}
