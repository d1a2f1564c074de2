import { AppError, validationError } from '../src/base/errors.ts';
import { ConnectionCache } from '../src/drivers/connection-cache.ts';
import { connectorAppError } from '../src/drivers/connector-app-error.ts';
import { ConnectorError } from '../src/drivers/driver.ts';
import { readOnlyCall } from '../src/drivers/read-only-call.ts';
import { createDrivers } from '../src/drivers/registry.ts';
import { scopeArgs } from '../src/drivers/scope-args.ts';
import type { ConnectorCall, Dashboard, Widget } from '../src/language/dashboard/dashboard.ts';
import { parseDashboard } from '../src/language/dashboard/parse-dashboard.ts';
import { CompiledExpressions } from '../src/language/dashboard/payload/compiled-expressions.ts';
import { payloadOf } from '../src/language/dashboard/payload/payload-of.ts';
import { isPublicWidget } from '../src/language/dashboard/public-projection.ts';
import { ExpressionError, type Scope } from '../src/language/expression/expression.ts';
import { parseTemplate } from '../src/language/expression/parse-template-string.ts';
import type { Template } from '../src/language/expression/template-string.ts';
import { Lru } from '../src/threads/lru.ts';
import type {
  DashboardSource,
  SharedQueryInput,
  WidgetAnswer,
  WidgetInput,
} from '../src/threads/messages.ts';
import { hostSettings, serveTasks } from '../src/threads/serve-tasks.ts';

const DOCUMENTS_MAX = 32;
const WIDGET_ROWS_MAX = 10_000;

/** What a thread keeps between widgets: parsed documents, compiled expressions and open connections. */
class WidgetWorker {
  readonly #connections = new ConnectionCache({ drivers: createDrivers(), context: hostSettings().data });
  readonly #documents = new Lru<Dashboard>(DOCUMENTS_MAX);
  readonly #expressions = new CompiledExpressions();
  /** By the value as it stands in a kept document. */
  readonly #templates = new WeakMap<object, Template>();

  close(): Promise<void> {
    return this.#connections.close();
  }

  async widget(input: WidgetInput, signal: AbortSignal): Promise<WidgetAnswer> {
    const document = this.#documentOf(input);
    const widget = findWidget(document, input);
    const scope: Scope = { ...input.context };
    try {
      if (!(await this.#isVisible(widget, scope))) return { json: '{"hidden":true}' };
      const data = await this.#dataOf(document, widget, input, signal);
      const payload = await payloadOf(widget, data, scope, this.#expressions);
      if (payload === undefined) return { error: `A ${widget.type} widget is not available in this version` };
      return { json: JSON.stringify(payload) };
    } catch (error) {
      return { error: readerMessageOf(error) };
    }
  }

  async sharedQuery(input: SharedQueryInput, signal: AbortSignal): Promise<WidgetAnswer> {
    const document = this.#documentOf(input);
    const { shared_queries, default_scope } = document;
    const call = Object.hasOwn(shared_queries, input.name) ? shared_queries[input.name] : undefined;
    if (call === undefined) throw new AppError('NOT_FOUND', `There is no shared query "${input.name}"`);
    try {
      const data = await this.#call(call, document, default_scope, input, signal);
      return { json: JSON.stringify(data ?? null) };
    } catch (error) {
      return { error: readerMessageOf(error) };
    }
  }

  #documentOf({ documentKey, yaml, vars }: DashboardSource): Dashboard {
    return this.#documents.get(documentKey, () => {
      const parsed = parseDashboard(yaml, { vars });
      if (!parsed.ok) throw validationError(parsed.problems);
      return parsed.dashboard;
    });
  }

  async #isVisible({ visible_if_expr }: Widget, scope: Scope): Promise<boolean> {
    if (visible_if_expr === null) return true;
    const value = await this.#expressions.of(visible_if_expr).evaluate(scope);
    return Array.isArray(value) ? value.some(Boolean) : Boolean(value);
  }

  /** What the widget's expressions read as `data`. */
  async #dataOf(
    document: Dashboard,
    widget: Widget,
    input: WidgetInput,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { binding } = widget;
    if (binding.kind === 'none') return widget.type === 'task_progress' ? input.runs : null;
    const data = await this.#boundData(document, widget, input, signal);
    if (binding.transform_expr === null) return data;
    const transformed = await this.#expressions
      .of(binding.transform_expr)
      .evaluate({ ...input.context, data });
    return transformed ?? null;
  }

  #boundData(document: Dashboard, widget: Widget, input: WidgetInput, signal: AbortSignal): unknown {
    const { binding } = widget;
    switch (binding.kind) {
      case 'none':
        return null;
      case 'call': {
        const profile = widget.scope === undefined ? document.default_scope : widget.scope;
        return this.#call(binding.call, document, profile, input, signal);
      }
      case 'shared_query':
        return sharedData(binding.name, input.shared);
      case 'source':
        return sourceData(binding.source, input);
      default:
        throw new Error(`unknown binding ${binding satisfies never}`);
    }
  }

  async #call(
    call: ConnectorCall,
    document: Dashboard,
    profile: string | null,
    { connectors, context }: DashboardSource,
    signal: AbortSignal,
  ): Promise<unknown> {
    const connector = Object.hasOwn(connectors, call.connector) ? connectors[call.connector] : undefined;
    if (connector === undefined)
      throw new ConnectorError('CONFIG', `There is no connector "${call.connector}"`);
    const scope: Scope = { ...context };
    const args = await this.#render(call.args, scope);
    const fields = await this.#render(fieldsOf(document, profile, call.connector), scope);
    return this.#connections.use(connector, ({ driver, connection }) => {
      const scoped = scopeArgs(driver, call.method, args, fields as Record<string, unknown>);
      return readOnlyCall(driver, connection, {
        method: call.method,
        args: scoped,
        rowsMax: WIDGET_ROWS_MAX,
        signal,
      });
    });
  }

  async #render(value: unknown, scope: Scope): Promise<unknown> {
    if (value === null || typeof value !== 'object') return value;
    let template = this.#templates.get(value);
    if (template === undefined) {
      const parsed = parseTemplate(value, '');
      if (parsed.problems.length > 0) throw validationError(parsed.problems);
      template = parsed.template;
      this.#templates.set(value, template);
    }
    return template.render(scope);
  }
}

function findWidget(document: Dashboard, { widgetId, publicView }: WidgetInput): Widget {
  for (const page of document.pages) {
    for (const widget of page.widgets) {
      if (widget.id !== widgetId) continue;
      if (!publicView || (page.public && isPublicWidget(widget))) return widget;
    }
  }
  throw new AppError('NOT_FOUND', `There is no widget "${widgetId}"`);
}

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

function fieldsOf(
  document: Dashboard,
  profile: string | null,
  connector: string,
): Readonly<Record<string, unknown>> {
  if (profile === null) return NO_FIELDS;
  const fields = Object.hasOwn(document.scope, profile) ? document.scope[profile] : undefined;
  // Nothing of a profile that is not there may be read as "no limits".
  if (fields === undefined) throw new ConnectorError('CONFIG', `There is no scope "${profile}"`);
  return (Object.hasOwn(fields, connector) ? fields[connector] : undefined) ?? NO_FIELDS;
}

function sharedData(name: string, shared: WidgetInput['shared']): unknown {
  const answer = Object.hasOwn(shared, name) ? shared[name] : undefined;
  if (answer === undefined) throw new ConnectorError('CONFIG', `The shared query "${name}" has no result`);
  if ('error' in answer) throw new ConnectorError('CONFIG', answer.error);
  return JSON.parse(answer.json);
}

function sourceData(source: 'runs' | 'job' | 'config', { runs, context }: WidgetInput): unknown {
  switch (source) {
    case 'runs':
      return runs;
    case 'job':
      return context.job;
    case 'config':
      return context.job_config;
    default:
      throw new Error(`unknown source ${source satisfies never}`);
  }
}

/** The message of what a widget's author or its connector did wrong; anything else is thrown on. */
function readerMessageOf(error: unknown): string {
  const known = error instanceof AppError || error instanceof ConnectorError;
  if (known) return error.message;
  if (error instanceof ExpressionError) return `An expression failed: ${error.message}`;
  throw error;
}

function createWidgets() {
  const worker = new WidgetWorker();
  return serveTasks<'widget' | 'shared_query'>(
    {
      widget: (input, signal) => worker.widget(input, signal),
      shared_query: (input, signal) => worker.sharedQuery(input, signal),
    },
    { toAppError: connectorAppError, onClose: () => worker.close() },
  );
}

export default createWidgets();
