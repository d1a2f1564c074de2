import { lazy, type ReactNode, Suspense } from 'react';
import { Placeholder } from '../layout/loaded.tsx';
import type { YamlEditorProps } from './yaml-editor.tsx';

const lines = 8;
const YamlEditor = lazy(() => import('./yaml-editor.tsx').then((module) => ({ default: module.YamlEditor })));

/** The editor, fetched when it is first shown. */
export function LazyYamlEditor(props: YamlEditorProps): ReactNode {
  return (
    <Suspense fallback={<Placeholder lines={lines} />}>
      <YamlEditor {...props} />
    </Suspense>
  );
}
