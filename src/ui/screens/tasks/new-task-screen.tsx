import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Screen } from '../../frame/layout/screen.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { TaskTextEditor } from './task-text-editor.tsx';

/** A new task, written from a small one that works. */
export function NewTaskScreen(): ReactNode {
  const { tasks } = useTexts();
  return (
    <Screen
      title={tasks.new}
      above={
        <p className="screen-above">
          <Link to="/tasks">{tasks.title}</Link>
        </p>
      }
    >
      <TaskTextEditor saved={null} />
    </Screen>
  );
}
