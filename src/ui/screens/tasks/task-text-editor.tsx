import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DefinitionEditor } from '../../frame/definitions/definition-editor.tsx';
import { GenerateSection } from '../../frame/definitions/generate/generate-section.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { LoadSection } from './load/load-section.tsx';
import { type Declared, useTaskKind } from './task-kind.ts';
import type { Task } from './tasks-screen.tsx';
import { PinPackages } from './try/pin-packages.tsx';
import { PreviewSection } from './try/preview-section.tsx';

interface TaskTextEditorProps {
  /** Null: it makes a new one. */
  readonly saved: Task | null;
  /** What a new one begins with. */
  readonly newText?: string;
  /** Of its source, where they are known. */
  readonly columns?: readonly string[];
}

/** A task to write, and to try on a few rows before it is saved. */
export function TaskTextEditor({ saved, newText = '', columns = [] }: TaskTextEditorProps): ReactNode {
  const { tasks } = useTexts();
  const navigate = useNavigate();
  const [declared, setDeclared] = useState<Declared>(saved?.connectors ?? {});
  // Of a text with problems, what its last good form declared.
  const [show] = useState(() => (next: Declared | null) => setDeclared((before) => next ?? before));
  return (
    <DefinitionEditor
      kind={useTaskKind(newText, show)}
      saved={saved}
      label={tasks.yamlOf(saved?.name ?? tasks.new)}
      beside={(typed) => (
        <>
          <GenerateSection typed={typed} what={{ kind: 'task', id: saved?.id ?? null }} />
          <LoadSection typed={typed} declared={declared} columns={columns} />
          <PinPackages typed={typed} />
          <PreviewSection typed={typed} declared={declared} />
        </>
      )}
      onCreated={({ id }) =>
        void navigate({ to: '/tasks/$id', params: { id: String(id) }, search: { view: 'edit' } })
      }
    />
  );
}
