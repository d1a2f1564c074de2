import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TypedBeside } from '../../../frame/definitions/definition-editor.tsx';
import { FormProblem } from '../../../frame/forms/form-problem.tsx';
import { useApi } from '../../../frame/state/api-context.ts';
import { useTexts } from '../../../texts/texts-context.tsx';

interface PinPackagesProps {
  /** Saved or not. */
  readonly typed: TypedBeside;
}

const NAMES_PACKAGES = /\b(?:dependencies|packages):/;

/** Writes into the text which versions its script steps import. Nothing where it names no packages. */
export function PinPackages({ typed }: PinPackagesProps): ReactNode {
  const api = useApi();
  const { tasks } = useTexts();
  const { text } = typed;
  const pin = useMutation({
    mutationFn: async (upgrade: boolean) => {
      const { yaml_content } = await api.POST('/api/tasks/lock', { body: { yaml_content: text, upgrade } });
      if (yaml_content !== text) typed.replace(yaml_content);
      return yaml_content !== text;
    },
  });
  if (!/kind:\s*script\b/.test(text) || !NAMES_PACKAGES.test(text)) return null;
  return (
    <section className="stack" aria-labelledby="pin-packages">
      <h2 id="pin-packages">{tasks.packages}</h2>
      <p className="field-hint">{tasks.packagesHint}</p>
      <FormProblem error={pin.error} />
      <div className="form-buttons">
        <button
          type="button"
          className="button"
          data-style="secondary"
          disabled={pin.isPending}
          onClick={() => pin.mutate(false)}
        >
          {pin.isPending ? tasks.pinning : tasks.pin}
        </button>
        <button
          type="button"
          className="button"
          data-style="secondary"
          disabled={pin.isPending}
          onClick={() => pin.mutate(true)}
        >
          {tasks.pinNewer}
        </button>
        <span className="field-hint" role="status">
          {pin.data !== undefined && (pin.data ? tasks.pinnedNow : tasks.pinnedAlready)}
        </span>
      </div>
    </section>
  );
}
