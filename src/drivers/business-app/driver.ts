import type { Driver, ResourceView } from '../driver.ts';
import { AUTH_SECRET_NAMES } from '../http/auth/auth-config.ts';
import {
  businessAppConfig,
  odataActionArgs,
  odataBatchArgs,
  odataCountArgs,
  odataCreateArgs,
  odataDeleteArgs,
  odataFunctionArgs,
  odataGetArgs,
  odataListArgs,
  odataUpdateArgs,
} from './config.ts';

/** Rows that one write takes. */
const writeBatchRows = 1_000;
/** Arguments that reach other records than those that conditions leave, or that nothing of this side reads. */
const PAST_CONDITIONS = ['where', 'expand', 'apply', 'query'];

const load = () => import('./connect.ts');

/** A page is of an entity as it is; a call that says more than which records and properties has none. */
function wholeEntity(args: unknown): ResourceView | null {
  const parsed = odataListArgs.safeParse(args ?? {});
  if (!parsed.success) return null;
  const { entity, columns, filter, sort, query, annotations, ...others } = parsed.data;
  const says =
    annotations ||
    Object.keys(query).length > 0 ||
    Object.values(others).some((value) => value !== undefined);
  return says ? null : { resource: entity, filter, sort, ...(columns === undefined ? {} : { columns }) };
}

/** Business applications that speak OData 4: Dynamics 365, Business Central, SAP, and others. */
export const businessAppDriver: Driver = {
  type: 'business_app',
  title: 'Business application (OData: Dynamics 365, Business Central, SAP)',
  capabilities: {
    write: ['append', 'upsert', 'merge', 'delete'],
    introspect: true,
    writeBatchRows,
    keepsWhatWasSent: true,
  },
  config: businessAppConfig,
  secrets: AUTH_SECRET_NAMES,
  hostKeys: ['base_url', 'auth'],
  methods: [
    {
      name: 'list',
      summary: 'Reads the records of an entity, page by page',
      kind: 'rows',
      args: odataListArgs,
      scope: { kind: 'conditions', arg: 'filter', without: PAST_CONDITIONS },
      cursor: { kind: 'conditions', arg: 'filter', sort: 'sort', limit: 'top' },
      pageOf: wholeEntity,
    },
    { name: 'get', summary: 'Returns a record by its key', kind: 'value', args: odataGetArgs },
    {
      name: 'count',
      summary: 'Returns the number of records of an entity',
      kind: 'value',
      args: odataCountArgs,
      scope: { kind: 'conditions', arg: 'filter', without: PAST_CONDITIONS },
    },
    { name: 'function', summary: 'Returns what a function answers', kind: 'value', args: odataFunctionArgs },
    { name: 'create', summary: 'Creates a record', kind: 'write', args: odataCreateArgs },
    { name: 'update', summary: 'Changes properties of a record', kind: 'write', args: odataUpdateArgs },
    { name: 'delete', summary: 'Removes a record', kind: 'write', args: odataDeleteArgs },
    { name: 'action', summary: 'Runs an action', kind: 'write', args: odataActionArgs },
    { name: 'batch', summary: 'Sends several requests as one', kind: 'write', args: odataBatchArgs },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectBusinessApp(config, context),
};
