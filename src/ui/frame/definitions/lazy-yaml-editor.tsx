import { lazy, type ReactNode, Suspense } from 'react';
import { Placeholder } from '../layout/loaded.tsx';
import { fileOfPage } from '../state/page-files.ts';
import type { YamlEditorProps } from './yaml-editor.tsx';

const lines = 8;
const YamlEditor = lazy(async () => ({
  default: (await fileOfPage(import('./yaml-editor.tsx'))).YamlEditor,
}));

/** The editor, fetched when it is first shown. */
export function LazyYamlEditor(props: YamlEditorProps): ReactNode {
  return (
    <Suspense fallback={<Placeholder lines={lines} />}>
      <YamlEditor {...props} />
    </Suspense>
  );
}
