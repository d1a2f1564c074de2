import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import { FormProblem } from '../../forms/form-problem.tsx';
import { Loaded } from '../../layout/loaded.tsx';
import { useApi } from '../../state/api-context.ts';
import type { TypedBeside } from '../definition-editor.tsx';
import { type Generated, type GenerationStep, generateText } from './generate-text.ts';
import { GeneratedDiff } from './generated-diff.tsx';
import { phaseText } from './phase-text.ts';

interface GenerateSectionProps {
  readonly typed: TypedBeside;
  readonly what: Generated;
}

const promptCharsMax = 20_000;
const connectorsMax = 10;

/** Has a model write the text from a description. What it wrote is shown as a diff, and taken or not; nothing is saved. */
export function GenerateSection(props: GenerateSectionProps): ReactNode {
  const api = useApi();
  const { generate } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const status = useQuery({
    queryKey: ['ai-status'],
    queryFn: ({ signal }) => api.GET('/api/ai/status', { signal }),
    enabled: isOpen,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{generate.title}</summary>
      {isOpen && (
        <Loaded query={status} lines={2}>
          {({ configured, model, base_url_host }) =>
            configured ? (
              <GenerateForm {...props} model={`${model} (${base_url_host})`} />
            ) : (
              <p className="field-hint">{generate.notConfigured}</p>
            )
          }
        </Loaded>
      )}
    </details>
  );
}

function GenerateForm({ typed, what, model }: GenerateSectionProps & { readonly model: string }): ReactNode {
  const id = useId();
  const { frame, generate } = useTexts();
  const [prompt, setPrompt] = useState('');
  const { made, step, start, cancel, drop } = useGeneration(typed, what);
  return (
    <div className="stack">
      <div className="field">
        <div className="field-label">
          <label htmlFor={id}>{what.id === null ? generate.prompts[what.kind] : generate.change}</label>
        </div>
        <textarea
          id={id}
          className="field-box"
          rows={3}
          maxLength={promptCharsMax}
          value={prompt}
          disabled={made.isPending}
          onChange={({ target }) => setPrompt(target.value)}
        />
        <p className="field-hint">
          {generate.goesTo[what.kind](model)} {generate.hint} {what.id !== null && generate.fromSaved}
        </p>
      </div>
      <FormProblem error={made.error} />
      <div className="form-buttons">
        <button
          type="button"
          className="button"
          data-style="secondary"
          disabled={made.isPending || prompt.trim() === ''}
          onClick={() => start(prompt)}
        >
          {generate.start}
        </button>
        {made.isPending && (
          <button type="button" className="button" data-style="secondary" onClick={cancel}>
            {frame.cancel}
          </button>
        )}
        <span className="field-hint" role="status">
          {made.isPending && (step === null ? generate.asking : phaseText(generate, step))}
        </span>
      </div>
      {made.data && (
        <GeneratedDiff
          made={made.data}
          text={typed.text}
          onTake={() => {
            typed.replace(made.data.yaml_content);
            drop();
          }}
          onDrop={drop}
        />
      )}
    </div>
  );
}

/** One question to the model at a time; it ends with the section. */
function useGeneration({ chosen }: TypedBeside, what: Generated) {
  const api = useApi();
  const [step, setStep] = useState<GenerationStep | null>(null);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const made = useMutation({
    mutationFn: (prompt: string) => {
      const asked = new AbortController();
      control.current = asked;
      setStep(null);
      const connector_ids = [...new Set(Object.values(chosen))].slice(0, connectorsMax);
      const wish = { prompt: prompt.trim(), connector_ids };
      return generateText(api, what, wish, { signal: asked.signal, onStep: setStep });
    },
  });
  return {
    made,
    step,
    start: made.mutate,
    cancel() {
      control.current?.abort();
      made.reset();
    },
    drop: made.reset,
  };
}
