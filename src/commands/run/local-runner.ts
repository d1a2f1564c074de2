/** The process of a local run's runner: it reads the task, its arguments and its connectors too, for which it has the code anyway. */
import { serveRuns } from '../../executor/runner/serve-runs.ts';
import { type PrepareRequest, prepareRun } from './prepare-run.ts';

serveRuns((request) => prepareRun(request as PrepareRequest));
