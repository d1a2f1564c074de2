import t from 'tap';
import { formatYaml } from '../../../../src/ui/frame/definitions/format/format-yaml.ts';

t.test('a text gets one form, and keeps its comments, its texts and its order', async (t) => {
  const text = `# of a job
version:   1
name: orders    # the name


connectors: {source: {type: csv},   target: { type: sqlite }}
steps:
- id: read
  columns: [ id,name ]
  # only what is paid
  filter: 'item.status = "[ paid ]"'
  sql: |
     select *
       from orders

- {id: write, key: [], values: [ { a: [ 1 ] } ],
   mode: merge}
note: "a text that is longer than a line of eighty characters, with words that must not be broken off 🚚 [ x ]"
`;
  const formatted = `# of a job
version: 1
name: orders # the name

connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - id: read
    columns: [id, name]
    # only what is paid
    filter: 'item.status = "[ paid ]"'
    sql: |
      select *
        from orders

  - id: write
    key: []
    values: [{ a: [1] }]
    mode: merge
note: "a text that is longer than a line of eighty characters, with words that must not be broken off 🚚 [ x ]"
`;
  t.equal(formatYaml(text), formatted);
  t.equal(formatYaml(formatted), formatted, 'a second time changes nothing');
});

t.test('what is not valid, or no single document, stays as it is', async (t) => {
  for (const text of ['a: [', 'a: 1\na: 2\n', 'a: 1\n---\nb: 1\n', '\ta: 1\n', 'a: *none\n'])
    t.equal(formatYaml(text), null, text);
});
