import type { Driver, ResourceView } from '../driver.ts';
import {
  dummyAggregateArgs,
  dummyConfig,
  dummyEchoArgs,
  dummyFindArgs,
  dummyGetArgs,
  dummyListArgs,
  dummyRecordArgs,
  scriptedResource,
} from './config.ts';

const load = () => import('./connect.ts');

function listedRows(args: unknown): ResourceView | null {
  const parsed = dummyListArgs.safeParse(args ?? {});
  if (!parsed.success) return null;
  const { where: filter } = parsed.data;
  return { resource: scriptedResource, ...(filter === undefined ? {} : { filter }) };
}

/** Scripted rows, waits and faults, for trying out tasks and for tests; what is written can be recorded in a file. */
export const dummyDriver: Driver = {
  type: 'dummy',
  title: 'Dummy (scripted)',
  capabilities: {
    write: ['append', 'replace', 'truncate_insert', 'upsert', 'merge', 'insert_only', 'delete'],
    introspect: true,
  },
  config: dummyConfig,
  secrets: [],
  hostKeys: [],
  methods: [
    {
      name: 'list',
      summary: 'Returns the scripted rows',
      kind: 'rows',
      tellsMalformed: true,
      args: dummyListArgs,
      scope: { kind: 'conditions', arg: 'where' },
      cursor: { kind: 'conditions', arg: 'where' },
      pageOf: listedRows,
    },
    {
      name: 'find',
      summary: 'Returns the scripted rows like a document database, by a filter',
      kind: 'rows',
      tellsMalformed: true,
      args: dummyFindArgs,
      scope: { kind: 'document', arg: 'filter' },
      cursor: { kind: 'by_hand', example: 'filter: {<field>: {$gt: "{{ state.cursor }}"}}' },
    },
    {
      name: 'aggregate',
      summary: 'Returns the scripted rows like a document database, through a pipeline',
      kind: 'rows',
      tellsMalformed: true,
      args: dummyAggregateArgs,
      scope: { kind: 'pipeline', arg: 'pipeline' },
      cursor: { kind: 'by_hand', example: 'pipeline: [{$match: {<field>: {$gt: "{{ state.cursor }}"}}}]' },
    },
    {
      name: 'get',
      summary: 'Returns the first row with a value',
      kind: 'value',
      args: dummyGetArgs,
      scope: { kind: 'conditions', arg: 'where' },
    },
    { name: 'echo', summary: 'Returns its argument', kind: 'value', args: dummyEchoArgs },
    { name: 'record', summary: 'Records rows', kind: 'write', args: dummyRecordArgs },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectDummy(config, context),
};
