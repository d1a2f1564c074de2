import type { Driver } from '../driver.ts';
import { dummyConfig, dummyEchoArgs, dummyGetArgs, dummyListArgs, dummyRecordArgs } from './config.ts';

const load = () => import('./connect.ts');

/** Scripted rows, waits and faults, for trying out tasks and for tests; what is written can be recorded in a file. */
export const dummyDriver: Driver = {
  type: 'dummy',
  title: 'Dummy (scripted)',
  capabilities: { write: ['append', 'replace', 'upsert', 'merge'], introspect: true },
  config: dummyConfig,
  secrets: [],
  hostKeys: [],
  methods: [
    { name: 'list', summary: 'Gives the scripted rows', kind: 'rows', args: dummyListArgs },
    { name: 'get', summary: 'Gives the first row with a value', kind: 'value', args: dummyGetArgs },
    { name: 'echo', summary: 'Gives back what it is given', kind: 'value', args: dummyEchoArgs },
    { name: 'record', summary: 'Records rows', kind: 'write', args: dummyRecordArgs },
  ],
  preload: load,
  connect: async (config, context) => (await load()).connectDummy(config, context),
};
