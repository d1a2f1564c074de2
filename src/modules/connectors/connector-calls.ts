import type { Clock } from '../../base/clock.ts';
import { isUnreachable } from '../../base/connectors/connector-use.ts';
import { AppError, validationError } from '../../base/errors.ts';
import type { ConnectorRef } from '../../drivers/connection-cache.ts';
import type { OauthApp, OauthAppInput } from '../../drivers/integration.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store } from '../../store/store.ts';
import type { Answer, Call, ExploreRequest, Input } from '../../threads/messages/calls.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { RecordedUse } from '../connector-health/connector-health.ts';
import { recordUses } from '../connector-health/connector-health-record.ts';
import type { ClearConfig } from '../definitions/sealed-config.ts';
import type { Connectors } from './connector-service.ts';

type ConnectorCallMessage = Extract<
  Call,
  { readonly kind: 'test_connector' | 'plugin_spec' | 'introspect' | 'oauth_app' | 'explore' }
>;

/** The part of the worker host that connectors need: the control plane itself never opens a connection. */
export interface CallPool {
  run<T extends ConnectorCallMessage>(
    call: T,
    options: { readonly signal?: AbortSignal; readonly timeoutMs?: number; readonly once?: boolean },
  ): Promise<Answer<T['kind']>>;
}

export interface ConnectorCallsDeps {
  readonly connectors: Pick<Connectors, 'connectorRef' | 'unsavedRef'>;
  readonly pool: CallPool;
  readonly store: Pick<Store, 'write' | 'dialect'>;
  readonly clock: Clock;
  /** Longest wait for a connector, default 30,000. */
  readonly answerMsMax?: number;
}

export type ConnectorCalls = ReturnType<typeof createConnectorCalls>;
type TestAnswer = Answer<'test_connector'>;

const answerMsMaxDefault = 30_000;

/** Calls of a connector outside of runs and dashboards, all in the worker host. */
export function createConnectorCalls(deps: ConnectorCallsDeps) {
  const { connectors, pool, store, clock, answerMsMax } = deps;
  const timeoutMs = answerMsMax ?? answerMsMaxDefault;

  /** A refusal by the other side, or no answer in time, answers with `ok: false`. */
  async function testRef(connector: ConnectorRef): Promise<TestAnswer> {
    try {
      return await pool.run({ kind: 'test_connector', input: { connector } }, { timeoutMs });
    } catch (error) {
      if (!isLimit(error)) throw error;
      return { ok: false, message: error.message, duration_ms: timeoutMs, code: 'TIMEOUT' };
    }
  }

  /** Counts in the health of the connector. */
  async function test(id: number): Promise<TestAnswer> {
    const answer = await testRef(await connectors.connectorRef(id));
    await store.write(async (tx) => {
      const at = await selectNow(tx, store.dialect);
      await recordUses(tx, store.dialect, [useOfTest(id, answer, at)], at);
    });
    return answer;
  }

  async function testUnsaved(type: string, config: ClearConfig): Promise<TestAnswer> {
    return testRef(connectors.unsavedRef(type, config));
  }

  /** The resources, or the columns of one. `CONNECTOR_ERROR` where the connector fails or does not answer in time. */
  async function introspect(
    id: number,
    request: Omit<Input<'introspect'>, 'connector'>,
  ): Promise<Answer<'introspect'>> {
    const connector = await connectors.connectorRef(id);
    const call = { kind: 'introspect', input: { connector, ...request } } as const;
    return pool.run(call, { timeoutMs }).catch(rethrowLimit);
  }

  /** One page of a resource as JSON text. */
  async function explore(id: number, request: ExploreRequest): Promise<string> {
    const connector = await connectors.connectorRef(id);
    const call = { kind: 'explore', input: { connector, request } } as const;
    return pool.run(call, { timeoutMs }).catch(rethrowLimit);
  }

  /** `VALIDATION_ERROR` where the connector has no integration that could have an OAuth app. */
  async function oauthApp(id: number): Promise<OauthApp> {
    const connector = await connectors.connectorRef(id);
    const call = { kind: 'oauth_app', input: { connector } } as const;
    const { app } = await pool.run(call, { timeoutMs }).catch(rethrowLimit);
    return app ?? noOauthApp(connector.type);
  }

  /**
   * As `oauthApp`, after setting it. The secret goes to the platform and nowhere else; the change happens there, so it is
   * audited afterwards.
   */
  async function putOauthApp(id: number, put: OauthAppInput, actor: Actor): Promise<OauthApp> {
    const connector = await connectors.connectorRef(id);
    const call = { kind: 'oauth_app', input: { connector, put } } as const;
    const { app } = await pool.run(call, { timeoutMs, once: true }).catch(rethrowLimit);
    if (app === null) return noOauthApp(connector.type);
    const diff = { client_id: put.client_id, ...(put.format !== undefined && { format: put.format }) };
    const entry = { action: 'connector.oauth_app', resourceType: 'connector', resourceId: id, diff };
    await store.write((tx) => insertAudit(tx, actor, entry, clock.now()));
    return app;
  }

  return { test, testUnsaved, introspect, explore, oauthApp, putOauthApp };
}

function useOfTest(
  id: number,
  { ok, message, duration_ms, code = 'UNAVAILABLE' }: TestAnswer,
  at: number,
): RecordedUse {
  const use = {
    connector_id: id,
    calls: 1,
    errors: ok ? 0 : 1,
    ms: duration_ms,
    last_success_at: ok ? at : 0,
    unreachable_since: !ok && isUnreachable(code) ? at : 0,
    last_error: ok ? null : { at, code, message },
  };
  return { use, source: 'test', run_id: null, job_id: null, test: { at, ok, message } };
}

/** Time, memory or output beyond the limit: the input of a connector call is small, so the connector is the cause. */
function isLimit(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'UNPROCESSABLE';
}

function noOauthApp(type: string): never {
  const message = `The connector of type "${type}" has no OAuth app: only one with an integration catalogue does`;
  throw validationError([{ path: 'type', message }]);
}

export function rethrowLimit(error: unknown): never {
  if (isLimit(error)) throw new AppError('CONNECTOR_ERROR', error.message, { cause: error });
  throw error;
}
