import type { Test } from 'tap';
import { createOutboundWays } from '../../../src/app/outbound-ways.ts';
import { createParsers } from '../../../src/app/services/parsers.ts';
import type { Outbound } from '../../../src/base/outbound/outbound.ts';
import { loadConfig } from '../../../src/config.ts';
import { registerAiRoutes } from '../../../src/modules/ai/ai-routes.ts';
import { createAi } from '../../../src/modules/ai/ai-service.ts';
import { createAskModel } from '../../../src/modules/ai/ask-model.ts';
import { createChecks } from '../../../src/modules/ai/generation-checks.ts';
import { createAiReferences } from '../../../src/modules/ai-references/ai-reference-service.ts';
import { systemActor } from '../../../src/modules/audit/audit.ts';
import { createConnectorCalls } from '../../../src/modules/connectors/connector-calls.ts';
import { createConnectors } from '../../../src/modules/connectors/connector-service.ts';
import { createDashboardTemplates } from '../../../src/modules/dashboard-templates/dashboard-template-service.ts';
import { createJobTemplates } from '../../../src/modules/job-templates/job-template-service.ts';
import { createServerConfigs } from '../../../src/modules/server/server-config-service.ts';
import { createScriptRight } from '../../../src/modules/tasks/script-right.ts';
import { createTasks } from '../../../src/modules/tasks/task-service.ts';
import type { Store } from '../../../src/store/store.ts';
import type { WorkerPool } from '../../../src/threads/worker-pool.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { type AppParts, createTestApp, userOf } from '../../support/app.ts';

const requireScriptRight = createScriptRight('admin');

export const KEY = 'sk-live-5f2e8a1c9d7b';
export const GOOD = 'version: 1\nname: hello\nsteps:\n  - { id: say, kind: log, message: hello }\n';
export const BAD = 'version: 1\nname: hello\nsteps:\n  - { id: say, kind: shout, message: hello }\n';
export const fenced = (yaml: string) =>
  `Here is the task:\n\n\`\`\`yaml\n${yaml}\`\`\`\n\nTell me what to change.`;

export interface GeneratedBody {
  yaml_content: string;
  valid: boolean;
  problems: object[];
  references_used: { id: number; name: string }[];
  attempts: number;
  usage: { input_tokens: number; output_tokens: number };
}
export interface Refused {
  error: string;
  message: string;
  details?: { path: string; message: string; line?: number; column?: number }[];
}

/** The server's way to a model provider, which is let through to this machine. */
function modelOutbound(t: Test): Outbound {
  const loaded = loadConfig({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
  const ways = createOutboundWays(loaded.config, []);
  t.teardown(() => Promise.all([ways.outbound.close(), ways.modelOutbound.close()]));
  return ways.modelOutbound;
}

/** The services behind the routes, with the real worker host and the real way out. */
function servicesOf(store: Store, pool: WorkerPool, { fetch }: Outbound, { clock, cipher }: AppParts) {
  const drivers = allDrivers;
  const { parseTask, ...parsers } = createParsers({ pool, store });
  const jobTemplates = createJobTemplates({ store, clock, ...parsers });
  const connectors = createConnectors({ store, clock, cipher, drivers });
  const configs = createServerConfigs({ store, clock, cipher, given: {} });
  const ai = createAi({
    store,
    clock,
    settings: configs.effective,
    askModel: createAskModel(fetch),
    check: createChecks({ store, parseTask, jobTemplates, ...parsers }),
    catalogue: drivers.catalogue,
    introspect: createConnectorCalls({ connectors, pool, store, clock }).introspect,
  });
  const references = createAiReferences({ store, clock });
  return {
    configs,
    connectors,
    references,
    tasks: createTasks({ store, clock, parseTask, requireScriptRight }),
    jobTemplates,
    dashboardTemplates: createDashboardTemplates({ store, clock, ...parsers }),
    ai,
  };
}

/** The AI routes over a store. */
export async function aiApp(t: Test, store: Store, pool: WorkerPool) {
  const holder: { services: ReturnType<typeof servicesOf> | null } = { services: null };
  const outbound = modelOutbound(t);
  const app = await createTestApp(t, (http, parts) => {
    holder.services = servicesOf(store, pool, outbound, parts);
    registerAiRoutes(http, holder.services);
  });
  const made = holder.services;
  if (made === null) throw new Error('nothing was made');
  const configure = (settings: Readonly<Record<string, unknown>>) =>
    made.configs.change(settings, null, systemActor);
  /** A new user each time: nobody is over the limit. */
  let users = 100;
  const editor = () => {
    users += 1;
    return app.as(userOf('editor', users));
  };
  const stream = async (body: object) => {
    users += 1;
    const principal = userOf('editor', users);
    const answer = await app.app.inject({
      method: 'POST',
      url: '/api/ai/generate-task',
      headers: { 'x-test-principal': JSON.stringify(principal), 'sec-fetch-site': 'same-origin' },
      payload: { ...body, stream: true },
    });
    return eventsOf(answer.body);
  };
  return { ...app, ...made, configure, editor, stream };
}

interface SentEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** The events of a stream's text. */
export function eventsOf(text: string): SentEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const [, event] = /^event: (.*)$/m.exec(block) ?? [];
    const [, data] = /^data: (.*)$/m.exec(block) ?? [];
    if (event === undefined || data === undefined) return [];
    return [{ event, data: JSON.parse(data) as Record<string, unknown> }];
  });
}
