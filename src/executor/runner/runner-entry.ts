/** The process of a runner (`serve-runs.ts`). */
import { serveRuns } from './serve-runs.ts';

serveRuns(null);
