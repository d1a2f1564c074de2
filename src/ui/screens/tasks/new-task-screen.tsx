import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DefinitionEditor } from '../../frame/definitions/definition-editor.tsx';
import { Screen } from '../../frame/layout/screen.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { useTaskKind } from './task-kind.ts';

/** A new task, written from a small one that works. */
export function NewTaskScreen(): ReactNode {
  const { tasks } = useTexts();
  const navigate = useNavigate();
  return (
    <Screen
      title={tasks.new}
      above={
        <p className="screen-above">
          <Link to="/tasks">{tasks.title}</Link>
        </p>
      }
    >
      <DefinitionEditor
        kind={useTaskKind()}
        saved={null}
        label={tasks.yamlOf(tasks.new)}
        onCreated={({ id }) =>
          void navigate({ to: '/tasks/$id', params: { id: String(id) }, search: { view: 'edit' } })
        }
      />
    </Screen>
  );
}
