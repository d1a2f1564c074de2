import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import {
  AbsentResourceError,
  type Batch,
  type Column,
  type ConnectContext,
  type Connection,
  ConnectorError,
  type ReadRequest,
  type Resource,
  type WriteRequest,
  type Writer,
} from '../driver.ts';
import { noMethod } from '../files/open-file.ts';
import { parseInput } from '../files/parse-input.ts';
import type { Catalogue, CatalogueRequest } from '../integration.ts';
import {
  businessAppConfig,
  odataCountArgs,
  odataFunctionArgs,
  odataGetArgs,
  odataListArgs,
} from './config.ts';
import { columnsOf, entityType, UnknownEntityError } from './metadata/columns.ts';
import type { EntityModel } from './metadata/model.ts';
import { fallbackEntities } from './metadata/usual-entities.ts';
import { type OdataService, openService } from './odata-service.ts';
import { recordPath, withOptions } from './query/address.ts';
import { filterOf, selectOf } from './query/list-options.ts';
import { callPath, functionPath } from './query/operation.ts';
import { resultOf, withoutAnnotations } from './rows/annotations.ts';
import { listEntities, pageEntities } from './rows/list-entities.ts';
import { EntityChanges } from './write/entity-changes.ts';
import { openEntityWriter } from './write/entity-writer.ts';

const SAMPLED_RECORDS = 100;
const TITLES = {
  dynamics_365: 'Dynamics 365',
  business_central: 'Business Central',
  sap: 'SAP',
  other: 'The service',
} as const;

class BusinessAppConnection implements Connection {
  readonly #service: OdataService;
  readonly #changes: EntityChanges;

  constructor(service: OdataService) {
    this.#service = service;
    this.#changes = new EntityChanges(service);
  }

  async test(signal: AbortSignal): Promise<string> {
    const document = await this.#service.askJson('', {}, signal);
    const entities = isRecord(document) ? document['value'] : undefined;
    if (!Array.isArray(entities))
      throw new ConnectorError('CONFIG', '"base_url" answers, but not as the root of an OData service');
    const count = entities.length.toLocaleString('en');
    return `${TITLES[this.#service.config.application]} answers: ${count} entities`;
  }

  async listResources(signal: AbortSignal): Promise<readonly Resource[]> {
    return resourcesOf((await this.#service.model(signal)).model);
  }

  /** From the metadata, else from what was known of it, else a fixed list; each time with the reason. */
  async catalogue({ refresh = false }: CatalogueRequest, signal: AbortSignal): Promise<Catalogue> {
    try {
      const { model, staleBecause } = await this.#service.model(signal, refresh);
      const error = staleBecause === null ? {} : { schema_error: staleBecause.message };
      return { resources: resourcesOf(model), fallback: false, ...error };
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.fault === 'AUTH') throw error;
      const names = fallbackEntities(this.#service.config);
      const resources = names.map((name) => ({ name, type: 'entity' }));
      return { resources, fallback: true, schema_error: messageOf(error) };
    }
  }

  /** As declared, else as the first records are. */
  async describe(entity: string, signal: AbortSignal): Promise<readonly Column[]> {
    const subject = await this.#service.subject(entity, signal).catch(rethrowAbsent);
    if (subject !== null) return columnsOf(subject.model, entityType(subject.model, entity));
    const args = parseInput(odataListArgs, { entity }, 'the name of the entity');
    for await (const { columns } of listEntities(this.#service, args, { signal, limit: SAMPLED_RECORDS }))
      return columns;
    return [];
  }

  async *read(request: ReadRequest): AsyncGenerator<Batch, void, undefined> {
    if (request.method !== 'list') throw noMethod('business_app', request.method);
    const args = parseInput(odataListArgs, request.args ?? {}, 'the arguments of "list"');
    yield* listEntities(this.#service, args, request);
  }

  async page(request: Parameters<Connection['page']>[0]) {
    return pageEntities(this.#service, request).catch(rethrowAbsent);
  }

  async call(method: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    const what = `the arguments of "${method}"`;
    if (method === 'get') return this.#get(parseInput(odataGetArgs, given ?? {}, what), signal);
    if (method === 'count') return this.#count(parseInput(odataCountArgs, given ?? {}, what), signal);
    if (method === 'function') {
      const args = parseInput(odataFunctionArgs, given ?? {}, what);
      const known = await this.#service.modelOrNull(signal);
      const path = functionPath(await callPath(this.#service, args, signal), args, known?.model ?? null);
      return resultOf(await this.#service.askJson(path, {}, signal));
    }
    return this.#changes.call(method, given ?? {}, signal);
  }

  async openWriter(request: WriteRequest): Promise<Writer> {
    return openEntityWriter(this.#service, request);
  }

  async close(): Promise<void> {
    await this.#service.api.close();
  }

  async #get(args: ReturnType<typeof odataGetArgs.parse>, signal: AbortSignal): Promise<unknown> {
    const { entity, key, columns, expand, annotations } = args;
    const subject = await this.#service.subject(entity, signal);
    const place = key === undefined ? entity : recordPath(entity, key, subject);
    const path = withOptions(place, { $select: selectOf(columns, subject), $expand: expand?.join(',') });
    const headers = this.#service.readHeaders(null, annotations);
    const record = await this.#service.askJson(path, { headers }, signal);
    return annotations ? record : withoutAnnotations(record);
  }

  async #count(args: ReturnType<typeof odataCountArgs.parse>, signal: AbortSignal): Promise<number> {
    const subject = await this.#service.subject(args.entity, signal);
    const $filter = filterOf(args, subject, this.#service.filterStyle);
    const headers = { accept: 'text/plain,application/json' };
    const count = await this.#service.askJson(
      withOptions(`${args.entity}/$count`, { $filter }),
      { headers },
      signal,
    );
    if (typeof count !== 'number')
      throw new ConnectorError('DATA', 'The service returned no number of records');
    return count;
  }
}

/** Whoever looks at an entity by its name is told that it is not there. */
function rethrowAbsent(error: unknown): never {
  if (error instanceof UnknownEntityError) throw new AbsentResourceError(error.message);
  throw error;
}

function resourcesOf({ sets }: EntityModel): readonly Resource[] {
  return [...sets.values()].map(({ name, kind }) => ({ name, type: kind }));
}

export async function connectBusinessApp(given: unknown, context: ConnectContext): Promise<Connection> {
  const config = parseInput(businessAppConfig, given, 'the configuration of a business_app connector');
  return new BusinessAppConnection(await openService(config, context));
}
