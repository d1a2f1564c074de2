import type { ReactNode } from 'react';
import { useMay } from '../../../frame/session/role.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { ExportSection } from './export-section.tsx';
import { ImportSection } from './import-section.tsx';

/** Definitions as one file: taken from this server, and brought into it by a plan. */
export function BundlesScreen(): ReactNode {
  const { bundles } = useTexts();
  const mayImport = useMay('editor');
  return (
    <AdminScreen title={bundles.title}>
      <div className="sections">
        <p className="field-hint">{bundles.hint}</p>
        <ExportSection />
        {mayImport && <ImportSection />}
      </div>
    </AdminScreen>
  );
}
