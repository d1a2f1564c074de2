import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../idempotency.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '../paging.ts';
import { JSON_DEPTH_MAX, JSON_VALUES_MAX } from '../request/json-body.ts';

/** What holds for all operations: Markdown, shown above them by `/api/docs`. */
export const INTRODUCTION = `Definitions and executions of data movement: tasks, job templates, jobs, runs, dashboards.

## Concepts

- A **connector** is a saved configuration of a database, a folder of files or a service.
- A **task** is YAML that moves rows: it extracts, transforms and loads. It names connectors by type, never by address.
- A **job template** puts tasks into a graph, and declares the connectors and the configuration of its jobs.
- A **job** is a template for one customer, account or environment: its own connectors and configuration, and pinned versions.
- A **job run** is one execution of a job's graph, a **run** one execution of one task. **Steps** are the parts of a task, **dead letters** the rows that a step rejected.
- A **trigger** is a cron schedule of a job, a **dashboard** shows and edits what belongs to one job.

Every saved change of a definition is a new version; a job keeps its pinned versions until \`upgradeJob\`.

## First steps

1. Sign in to the web page and create an API key, or call \`createApiKey\`. Send it as \`Authorization: Bearer svc_…\`; \`getMe\` says whose it is.
2. \`createConnector\` for each end, with a \`type\` of \`listConnectorTypes\`.
3. \`createTask\` with YAML; \`validateTask\` reports all its problems with line and column. Editors complete it by its [JSON Schema](/api/schemas/task).
4. \`createJobTemplate\` ([schema](/api/schemas/job-template)), then \`createJob\` with the connectors to bind.
5. \`startJob\` answers with a job run; \`getJobRun\` shows its state, \`streamJobRunEvents\` follows it, and \`streamRunLogs\` the log of one of its runs.

## Requests

Bodies are JSON in \`snake_case\`; times are RFC 3339 in UTC; ids are integers. An unknown key is an error. JSON has at most ${JSON_DEPTH_MAX} levels and ${grouped(JSON_VALUES_MAX)} values, and no text holds a NUL character. Bodies may be compressed (\`Content-Encoding: gzip\`). A write with the session cookie needs the server's own \`Origin\`, or \`Sec-Fetch-Site: same-origin\` from a browser; API keys need neither. An \`X-Request-Id\` of up to 128 plain characters is taken over into the answer, the log and the audit.

## Lists

\`{"result": […], "next_cursor": "…"}\`, with \`limit\` (default ${PAGE_DEFAULT}, at most ${PAGE_MAX}). Pass \`next_cursor\` as \`cursor\` for the next page, until it is null, or follow the \`Link\` with \`rel="next"\`. A cursor belongs to its filters and its \`sort\`; with others it is refused.

## Errors

\`{"error": "<code>", "message": "…", "request_id": "…"}\`, with \`details\` (\`path\`, \`message\`, and \`line\` and \`column\` in YAML) where several things are wrong: all problems come at once. Codes keep their meaning, messages may change. A path without the method is answered with 405 \`METHOD_NOT_ALLOWED\` and \`Allow\`, an unknown path with 404. Where the same request may succeed later, the answer has \`Retry-After\`. Requests of an address are limited by the minute: \`X-RateLimit-Remaining\` counts them, and beyond them the answer is 429.

## ETags

Answers with a definition have an \`ETag\`, the version of the record. Send it as \`If-Match\` with PUT or DELETE: a change that was made in between is answered with 412 \`PRECONDITION_FAILED\`, not overwritten. Without \`If-Match\`, or with \`*\`, the last write wins.

## Repeating a request

Operations that create or start something take an \`Idempotency-Key\` of up to ${IDEMPOTENCY_KEY_LENGTH_MAX} characters. For 24 hours the same key and body give the stored answer, with \`Idempotent-Replayed: true\`; another body is refused with 422, and with 409 while the first request is running.

## Events

Streams are [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html): each has \`event\` and \`data\` (JSON), and the schema of the answer's \`contentSchema\` describes both. Where events have an \`id\`, a client that reconnects with \`Last-Event-ID\` misses none. A comment every 15 seconds keeps the connection open.`;

/** `100,000`, without `Intl`: its first use takes 7 MB, and this text is made at every start. */
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
