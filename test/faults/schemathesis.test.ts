import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { findProgram } from '../support/find-program.ts';
import { type FullApp, startFullApp } from '../support/full-app.ts';
import { makeOneOfEach, type OneOfEach, valueFor } from '../support/one-of-each.ts';

/*
 * Schemathesis makes requests from the OpenAPI document, right and wrong ones, and compares the answers with it.
 */

const SECONDS_MAX = 75;
/** Left out, and why. */
const EXCLUDED = [
  // They end the key or the session that the requests are made with.
  ['exclude-tag', 'Auth'],
  ['exclude-operation-id', 'rotateApiKey'],
  ['exclude-operation-id', 'deleteApiKey'],
  // They need a lease and a session in headers: without, every answer is a 401.
  ['exclude-tag', 'Executors'],
  ['exclude-tag', 'Executor Callbacks'],
  // They follow a run until it ends, and no executor runs it here.
  ['exclude-operation-id', 'streamRunLogs'],
  ['exclude-operation-id', 'streamJobRunEvents'],
].flatMap(([name, value]) => [`--${name}`, value ?? '']);

/** A finding: the check that failed, with the request and its answer. */
interface Finding {
  readonly check: string;
  readonly operation: string;
  readonly status: number;
  readonly answer: string;
  readonly url: string;
}

/** Of schemas: such a refusal of a request that the document allows means that the document says less than the server checks. */
const SCHEMA_WORDS = [
  'must be (a text|a number|a whole number|true or false|a list|a map|null|one of|at (least|most)|more than|less than)',
  'must be (an email address|a URL|a UUID|an IPv[46] address|Base64|a multiple of)',
  'must have (at least|at most|exactly)',
  'must not be empty',
  'has an invalid format',
  'is not an allowed name',
  'is required and missing',
  'NUL character',
].join('|');

/** What schemathesis finds and is meant so. */
const TRIAGED: readonly {
  readonly check: RegExp;
  readonly answer: RegExp;
  readonly url?: RegExp;
  readonly why: string;
}[] = [
  {
    check: /not_a_server_error/,
    answer: /"CONNECTOR_ERROR"/,
    why: 'the other end of a connector that does not exist: 502, and 500 for introspection, as documented',
  },
  {
    check: /not_a_server_error/,
    answer: /"NOT_READY"/,
    why: 'documented: something that the answer names is not available',
  },
  {
    check: /positive_data_acceptance/,
    answer: new RegExp(`^400 .*"VALIDATION_ERROR"(?!.*(${SCHEMA_WORDS}))`, 's'),
    why: 'what no JSON Schema says: cursors of other lists, ids of what is not there, cron, time zones, YAML, the keys of a type',
  },
  {
    check: /positive_data_acceptance/,
    answer: /^400 .*"The document must be a map/s,
    why: 'to JSON Schema YAML is any text',
  },
  {
    check: /positive_data_acceptance/,
    answer: /^400 .*"VALIDATION_ERROR"/s,
    url: /\/api\/jobs\/\d+\/config\//,
    why: 'what a configuration takes is in the template of the job',
  },
  {
    check: /positive_data_acceptance/,
    answer: /^400 .*"VALIDATION_ERROR".*"path":"config\./s,
    url: /\/api\/(connectors|metrics\/config)\b/,
    why: 'the keys of a configuration are those of its type',
  },
  {
    check: /response_schema_conformance/,
    answer: /^200 /,
    url: /[?&]fields=/,
    why: 'the fields that are not asked for are left out, as the parameter says; a test of its own holds these answers against their schema',
  },
];

const program = findProgram(process.env['SCHEMATHESIS_PATH'], ['schemathesis']);
const NO_PROGRAM = 'no schemathesis (SCHEMATHESIS_PATH)';

t.setTimeout(300_000);

t.test(
  'schemathesis finds nothing that is not triaged here',
  { skip: ofFullList.skip || (program === null && NO_PROGRAM) },
  async (t) => {
    const full = await startFullApp(t);
    const { visitor: root } = await full.superadmin();
    const { body } = await root.post<{ token: string }>('/api/api-keys', { name: 'schemathesis' });
    const one = await makeOneOfEach(full, root);
    const folder = mkdtempSync(join(tmpdir(), 'headgate-schemathesis-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'schemathesis.toml'), configuration(full, one));
    const report = join(folder, 'report.ndjson');
    const child = spawn(
      program ?? '',
      [
        ...['run', `${full.plane.httpAddress}/api/openapi.json`, '--no-color'],
        ...['--header', `Authorization: Bearer ${body.token}`],
        ...['--seed', '7', '--phases', 'examples,coverage,fuzzing', '--max-time', String(SECONDS_MAX)],
        ...[
          '--max-examples',
          '10',
          '--workers',
          '2',
          '--continue-on-failure',
          '--no-shrink',
          '--generation-database',
          'none',
        ],
        ...['--report-ndjson-path', report],
        ...EXCLUDED,
      ],
      { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const lines: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    const [code] = (await once(child, 'close')) as [number];
    const said = Buffer.concat(lines).toString();
    t.ok(code === 0 || code === 1, said);
    t.comment(said.slice(said.indexOf('Test cases:')));
    t.ok(Number(/(\d+) generated/.exec(said)?.[1]) > 300, 'it ran');

    const found = findingsIn(readFileSync(report, 'utf8'));
    const untriaged = found.filter(
      ({ check, status, answer, url }) =>
        !TRIAGED.some(
          (known) =>
            known.check.test(check) &&
            known.answer.test(`${status} ${answer}`) &&
            (known.url?.test(url) ?? true),
        ),
    );
    t.same(
      [...new Set(untriaged.map((one) => `${one.check}: ${one.operation}: ${one.status} ${one.answer}`))],
      [],
    );
    t.same([...new Set(full.openapi.breaches)], [], 'every answer is what the document says');
    t.equal((await root.get('/api/health')).status, 200, 'the server lives');
  },
);

/** Paths lead to records that are there; deleting leads to others. */
function configuration(full: FullApp, one: OneOfEach): string {
  const operations = Object.entries(full.document().paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId = '', parameters = [] }]) => {
      const values = parameters.flatMap(({ name, in: place }) => {
        const value =
          place === 'path' ? valueFor(one, { method: method.toUpperCase(), path }, name) : undefined;
        return value === undefined
          ? []
          : `"path.${name}" = ${JSON.stringify(/^\d+$/.test(value) ? Number(value) : value)}`;
      });
      if (values.length === 0) return [];
      return `[[operations]]\ninclude-operation-id = "${operationId}"\nparameters = { ${values.join(', ')} }\n`;
    }),
  );
  return `[generation]
# The server refuses NUL in any text, also in free maps, of which a schema says nothing.
allow-x00 = false

[checks]
# 412 and 422 are of the state, not of the request: a version that has passed, a key that was used. 429: of how many there were. 431: by its length.
positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "404", "409", "412", "422", "429", "5xx"]
negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "409", "412", "413", "415", "422", "429", "431", "5xx"]

${operations.join('\n')}`;
}

interface Recorded {
  readonly label: string;
  readonly checks?: Readonly<Record<string, readonly { readonly name: string; readonly status: string }[]>>;
  readonly interactions?: Readonly<
    Record<
      string,
      {
        readonly request?: { readonly uri: string };
        readonly response?: { readonly status_code: number; readonly content?: { readonly $base64: string } };
      }
    >
  >;
}

function findingsIn(report: string): Finding[] {
  return report.split('\n').flatMap((line) => {
    const recorder = line.startsWith('{"ScenarioFinished"')
      ? (JSON.parse(line) as { ScenarioFinished: { recorder: Recorded } }).ScenarioFinished.recorder
      : null;
    if (recorder === null) return [];
    return Object.entries(recorder.checks ?? {}).flatMap(([id, checks]) =>
      checks
        .filter(({ status }) => status === 'failure')
        .map(({ name }) => {
          const { request, response } = recorder.interactions?.[id] ?? {};
          const answer = Buffer.from(response?.content?.$base64 ?? '', 'base64')
            .toString()
            .slice(0, 400);
          const { status_code: status = 0 } = response ?? {};
          return { check: name, operation: recorder.label, status, answer, url: request?.uri ?? '' };
        }),
    );
  });
}
