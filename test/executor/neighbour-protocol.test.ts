import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import t, { type Test } from 'tap';
import { PROTOCOL_VERSION, type RunSpec } from '../../src/protocol/control-plane.ts';
import { PROTO_PATH } from '../../src/protocol/wire/definition/proto-path.ts';
import { grpcServer, KEY } from '../protocol/support/grpc-binding.ts';
import { MemoryControlPlane } from '../protocol/support/memory-control-plane.ts';
import { eventually, messagesOf, startBench, TimedControlPlane } from './support/executor-bench.ts';

type Wire = Readonly<Record<string, unknown>>;
type Stream = ClientDuplexStream<Wire, Wire>;

const PREVIOUS = fileURLToPath(new URL('./fixtures/previous-executor.proto', import.meta.url));
const LOG_TASK = 'version: 1\nname: hi\nsteps:\n  - { id: say, kind: log, message: "hi" }\n';

/** The contract as a later release may speak it: fields that this one does not know. */
function nextProto(t: Test): string {
  const known = readFileSync(PROTO_PATH, 'utf8');
  const extended = known.replace(
    /^message (RegisterRequest|Attach|AssignmentAck|Credits|Completion|LogBatch|LogLine) \{/gm,
    'message $1 {\n  string later = 900; repeated Lease later_leases = 901;\n',
  );
  if (extended === known) throw new Error('The proto was not extended');
  return join(t.testdir({ 'next.proto': extended }), 'next.proto');
}

/** A client made from a proto file alone, as another release of the executor is. */
function clientOf(proto: string, address: string) {
  const loaded = loadPackageDefinition(
    loadSync(proto, { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true }),
  ) as unknown as { headgate: { executor: { v1: { ExecutorService: ServiceClientConstructor } } } };
  const client = new loaded.headgate.executor.v1.ExecutorService(address, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${KEY}`);
  const methods = client as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
  return {
    metadata,
    close: () => client.close(),
    unary: (name: string, request: Wire) =>
      new Promise<Wire>((resolve, reject) => {
        methods[name]?.call(client, request, metadata, (error: Error | null, answer: Wire) =>
          error === null ? resolve(answer) : reject(error),
        );
      }),
    stream: (name: string) => methods[name]?.call(client, metadata) as Stream,
  };
}

async function answerTo(stream: Stream, message: Wire): Promise<Wire> {
  stream.write(message);
  const [answer] = (await once(stream, 'data')) as [Wire];
  return answer;
}

/** One run from registration to completion, in the words of the given proto file. */
async function workOneRun(t: Test, proto: string, request: Wire, extra: Wire): Promise<void> {
  const plane = new MemoryControlPlane();
  const server = grpcServer(plane);
  const port = await server.listen('127.0.0.1', 0);
  const client = clientOf(proto, `127.0.0.1:${port}`);
  t.teardown(async () => {
    client.close();
    await server.stop(200);
  });
  const registration = await client.unary('Register', { ...request, ...extra });
  t.match(registration, { executor_id: 1, limits: { lease_ttl_ms: 30_000 } });
  client.metadata.set('x-executor-id', String(registration['executor_id']));
  client.metadata.set('x-session-token', String(registration['session_token']));
  const session = client.stream('Session');
  t.match(await answerTo(session, { attach: { leases: [], ...extra } }), { attached: { leases: [] } });
  const run = plane.enqueue({ yaml: LOG_TASK, secrets: ['a secret of today'] });
  const { assignment } = (await answerTo(session, { credits: { count: 1, ...extra } })) as {
    assignment: { lease: Wire; task_name: string };
  };
  const { lease } = assignment;
  t.match(await answerTo(session, { assignment_ack: { lease, ...extra } }), {
    assignment_ack_reply: { outcome: 'ACCEPTED' },
  });
  t.match(await client.unary('GetRunSpec', { lease }), { outcome: 'ACCEPTED', yaml: LOG_TASK });
  const logs = client.stream('AppendLogs');
  const line = { at: 1, level: 'INFO', step_id: 'say', message: 'hi', ...extra };
  t.match(await answerTo(logs, { lease, first_seq: 1, lines: [line], ...extra }), {
    outcome: 'ACCEPTED',
    acked_seq: 1,
  });
  const completion = { lease, status: 'success', last_log_seq: 1, ...extra };
  t.match(await answerTo(session, { completion }), { completion_reply: { outcome: 'ACCEPTED' } });
  t.match(run.completion, { status: 'success', last_log_seq: 1, steps: [], failure: null });
  t.strictSame(messagesOf(run), ['hi']);
  session.end();
  logs.end();
  await client.unary('Deregister', {});
}

t.test('an executor of the previous protocol, which says only what it knows, works a run', (t) => {
  const request = { name: 'old', instance_id: '1', protocol_version: PROTOCOL_VERSION - 1, slots: 1 };
  return workOneRun(t, PREVIOUS, request, {});
});

t.test('fields of a later release are not minded', (t) => {
  const request = {
    name: 'new',
    instance_id: '1',
    version: '9.9.9',
    protocol_version: PROTOCOL_VERSION,
    features: ['spool', 'something-later'],
    slots: 1,
    connector_types: ['sqlite', 'something-later'],
  };
  return workOneRun(t, nextProto(t), request, {
    later: 'x',
    later_leases: [{ run_id: 1, attempt: 1, epoch: 1, token: 'x' }],
  });
});

/** Answers as the release before did: an older number, and specifications without what came later. */
class PreviousControlPlane extends TimedControlPlane {
  override async register(...args: Parameters<TimedControlPlane['register']>) {
    return { ...(await super.register(...args)), protocol_version: PROTOCOL_VERSION - 1 };
  }

  override async runSpec(...args: Parameters<TimedControlPlane['runSpec']>) {
    const answer = await super.runSpec(...args);
    if (answer.outcome !== 'ACCEPTED') return answer;
    const { secrets: _secrets, when_expr: _when, args_template: _template, ...old } = answer.value;
    return { outcome: 'ACCEPTED' as const, value: old as unknown as RunSpec };
  }
}

t.test('an executor of today works for a control plane of the previous release', async (t) => {
  const { plane, executor } = await startBench(t, { plane: new PreviousControlPlane() });
  const run = plane.enqueue({ yaml: LOG_TASK });
  const completion = await eventually('the completion', () => run.completion);
  t.match(completion, { status: 'success' });
  t.equal(run.lines.length, completion.last_log_seq);
  await eventually('nothing is held', () => executor.stats().runs.length === 0);
});
