import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import { DiffText } from '../../records/diff-text.tsx';
import { diffOf } from '../text-diff.ts';
import type { GeneratedText } from './generate-text.ts';

interface GeneratedDiffProps {
  readonly made: GeneratedText;
  /** What is typed now. */
  readonly text: string;
  onTake(): void;
  onDrop(): void;
}

/** What the model would change of the text, and the choice to take it. */
export function GeneratedDiff({ made, text, onTake, onDrop }: GeneratedDiffProps): ReactNode {
  const { generate } = useTexts();
  const { attempts, usage, references_used, yaml_content } = made;
  const diff = diffOf(text, yaml_content);
  return (
    <section className="stack" aria-label={generate.result}>
      <p className="record-facts">
        {generate.facts(attempts, usage.input_tokens, usage.output_tokens)}
        {references_used.length > 0 &&
          ` · ${generate.references(references_used.map(({ name }) => name).join(', '))}`}
      </p>
      {diff === '' ? <p>{generate.same}</p> : <DiffText label={generate.result} diff={diff} />}
      <div className="form-buttons">
        {diff !== '' && (
          <button type="button" className="button" onClick={onTake}>
            {generate.take}
          </button>
        )}
        <button type="button" className="button" data-style="secondary" onClick={onDrop}>
          {generate.drop}
        </button>
      </div>
    </section>
  );
}
