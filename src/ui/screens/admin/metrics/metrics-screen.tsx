import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts-context.tsx';
import { AdminScreen } from '../admin-screen.tsx';
import { BackendSection } from './backend-section.tsx';
import { MeasurementSection } from './measurement-section.tsx';

/** The measurements of a task, and where those of all runs go. */
export function MetricsScreen(): ReactNode {
  const { metrics } = useTexts();
  return (
    <AdminScreen title={metrics.title}>
      <div className="stack">
        <MeasurementSection />
        <BackendSection />
      </div>
    </AdminScreen>
  );
}
