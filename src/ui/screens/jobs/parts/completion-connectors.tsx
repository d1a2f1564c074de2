import type { ReactNode } from 'react';
import { connectorsIn } from '../../../frame/definitions/completion/vocabulary.ts';
import type { TypedBeside } from '../../../frame/definitions/definition-editor.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { ConnectorChoice } from './connector-choices.tsx';

interface CompletionConnectorsProps {
  readonly typed: TypedBeside;
  /** The text that declares the connectors. Default: what is typed. */
  readonly declaredIn?: string | undefined;
}

/** Saved connectors whose tables and columns complete the text. */
export function CompletionConnectors({ typed, declaredIn }: CompletionConnectorsProps): ReactNode {
  const { editor } = useTexts();
  const { text, chosen, choose } = typed;
  const declared = [...connectorsIn(declaredIn ?? text)].filter(([, type]) => type !== '');
  if (declared.length === 0) return null;
  return (
    <details>
      <summary>{editor.completionConnectors}</summary>
      <p className="field-hint">{editor.completionConnectorsHint}</p>
      <div className="config-fields">
        {declared.map(([name, type]) => (
          <ConnectorChoice
            key={`${name} ${type}`}
            name={name}
            type={type}
            required={false}
            description={null}
            value={chosen[name]}
            onChange={(id) => {
              const { [name]: _, ...others } = chosen;
              choose(id === undefined ? others : { ...others, [name]: id });
            }}
          />
        ))}
      </div>
    </details>
  );
}
