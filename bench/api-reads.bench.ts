/**
 * Authenticated reads over HTTP among 100,000 tasks: one record of three kinds, a page of 50, and a page of those with a part of the
 * name. Limit of all: a bare Fastify route with one SQLite select of a record.
 */
import { startApiFigures } from './support/api-figures.ts';

const figures = await startApiFigures();
const { api } = figures;
const made = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
const read = (paths: string[], requests: number) =>
  ({ method: 'GET', paths, body: '', requests, status: 200 }) as const;

try {
  const taskId = await made('/api/tasks', {
    yaml_content: 'version: 1\nname: hello\nsteps: [{ id: say, kind: log, message: hello }]\n',
  });
  const templateId = await made('/api/job-templates', {
    name: 'greetings',
    yaml_content: 'version: 1\nname: greetings\ntasks: { say: { task: hello } }\n',
  });
  const jobId = await made(`/api/job-templates/${templateId}/jobs`, {
    name: 'greetings',
    connector_mapping: {},
  });
  const run = await api.post<{ id: number }>(`/api/tasks/${taskId}/runs`, {});
  await figures.measure(
    'api-record-task',
    read(
      Array.from({ length: 1_000 }, (_, index) => `/api/tasks/${1 + index * 97}`),
      5_000,
    ),
  );
  await figures.measure('api-record-job', read([`/api/jobs/${jobId}`], 5_000));
  await figures.measure('api-record-run', read([`/api/runs/${run.id}`], 5_000));
  await figures.measure('api-list-50', read(['/api/tasks', '/api/tasks?status=active'], 1_500));
  const parts = Array.from({ length: 100 }, (_, index) => `/api/tasks?q=${4_217 + index}`);
  await figures.measure('api-list-q', read(parts, 300));
} finally {
  await figures.stop();
}
