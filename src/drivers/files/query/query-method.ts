import type { Method } from '../../driver.ts';
import { fileQueryArgs } from './query-args.ts';

/** `query` of the connectors of files that an engine reads. */
export const FILE_QUERY: Method = {
  name: 'query',
  summary: 'Reads the rows of a SELECT over files',
  kind: 'rows',
  args: fileQueryArgs,
  scope: { kind: 'unscoped' },
  cursor: {
    kind: 'by_hand',
    example:
      'sql: SELECT … WHERE <field> > $since ORDER BY <field> and params: { since: "{{ state.cursor }}" }',
  },
};
