import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DefinitionEditor } from '../../../frame/definitions/definition-editor.tsx';
import { GenerateSection } from '../../../frame/definitions/generate/generate-section.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { CompletionConnectors } from '../../jobs/parts/completion-connectors.tsx';
import type { TemplateStart } from '../start-template.ts';
import { type Dag, type Template, useTemplateKind } from '../template-kind.ts';
import { TemplateGraph } from './template-graph.tsx';

interface TemplateEditorProps {
  /** Null: it makes a new one. */
  readonly saved: Template | null;
  /** What a new one begins with, and the name of its draft. */
  readonly start?: TemplateStart;
  readonly place?: string;
}

/** A job template to write, with its graph as one types: that of the last text that could be read. */
export function TemplateEditor({ saved, start, place = 'new' }: TemplateEditorProps): ReactNode {
  const { tasks, templates } = useTexts();
  const navigate = useNavigate();
  const [dag, setDag] = useState<Dag | null>(saved?.dag ?? null);
  const [showDag] = useState(() => (next: Dag | null) => setDag((before) => next ?? before));
  return (
    <DefinitionEditor
      kind={useTemplateKind(showDag, start)}
      saved={saved}
      place={place}
      label={tasks.yamlOf(saved?.name ?? templates.new)}
      beside={(typed) => (
        <>
          <GenerateSection typed={typed} what={{ kind: 'job-template', id: saved?.id ?? null }} />
          <CompletionConnectors typed={typed} />
          {dag !== null && dag.levels.length > 0 && <TemplateGraph dag={dag} />}
        </>
      )}
      onCreated={({ id }) =>
        void navigate({ to: '/templates/$id', params: { id: String(id) }, search: { view: 'edit' } })
      }
    />
  );
}
