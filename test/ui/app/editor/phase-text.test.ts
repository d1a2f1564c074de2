import t from 'tap';
import { phaseText } from '../../../../src/ui/frame/definitions/generate/phase-text.ts';
import { texts as german } from '../../../../src/ui/texts/de/texts.ts';
import { texts as english } from '../../../../src/ui/texts/en/texts.ts';

t.test('a phase that only a newer server knows is shown as it is', async (t) => {
  for (const { generate } of [english, german]) {
    const known = phaseText(generate, { phase: 'generating', attempt: 2 });
    t.match(known, /2/);
    t.notMatch(known, /generating \(/);
    for (const phase of ['reviewing', 'constructor'])
      t.match(phaseText(generate, { phase: phase as 'generating', attempt: 1 }), `${phase} (`);
  }
});
