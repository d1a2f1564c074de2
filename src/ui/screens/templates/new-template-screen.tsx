import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Screen } from '../../frame/layout/screen.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { TemplateEditor } from './template/template-editor.tsx';

/** A new job template, written from a small one. */
export function NewTemplateScreen(): ReactNode {
  const { templates } = useTexts();
  return (
    <Screen
      title={templates.new}
      above={
        <p className="screen-above">
          <Link to="/templates">{templates.title}</Link>
        </p>
      }
    >
      <TemplateEditor saved={null} />
    </Screen>
  );
}
