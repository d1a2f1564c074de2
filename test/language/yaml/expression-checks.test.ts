import t from 'tap';
import { loadConnectorTypes } from '../../../src/drivers/registry.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { parseJobTemplate } from '../../../src/language/template/parse-template.ts';

const connectorTypes = await loadConnectorTypes();

function taskOf(expression: string): string {
  return `version: 1
name: t
connectors: { file: {type: csv} }
args: { since: {type: string} }
steps:
  - {id: first, kind: extract, connector: file, method: read}
  - {id: second, kind: transform, input: first, ops: [{set: {a: ${JSON.stringify(expression)}}}]}
  - {id: third, kind: load, input: second, connector: file, object: out.csv}
`;
}

function messagesOf(expression: string): readonly string[] {
  const parsed = parseTask(taskOf(expression), { connectorTypes });
  return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
}

t.test('functions exist and take so many arguments', async (t) => {
  t.same(messagesOf('$nosuch(item.id)'), ['There is no function "$nosuch"']);
  t.same(messagesOf('$uppercse(item.id)'), ['There is no function "$uppercse"; did you mean "$uppercase"?']);
  t.same(messagesOf('$upper(item.id)'), ['There is no function "$upper"; did you mean "$uppercase"?']);
  t.match(messagesOf('item.a == 1'), [/compared with one "="/]);
  t.same(messagesOf('item.list.$nosuch()'), ['There is no function "$nosuch"'], 'in a path');
  t.same(messagesOf('$substring()'), ['"$substring" takes 1 to 3 arguments, not 0']);
  t.same(messagesOf('$sum(1, 2)'), ['"$sum" takes 1 argument, not 2']);
  t.same(messagesOf('$random(1)'), ['"$random" takes no arguments, not 1']);
  t.same(messagesOf('item.a ~> $sum(1)'), ['"$sum" takes 1 argument, not 2'], 'what is piped counts');
  const right = [
    'item.name.$uppercase()',
    'item.a ~> $substring(0, 5) ~> $trim',
    '$map(item.list, $uppercase)',
    '$substring(?, 0, 5)(item.a)',
    '$zip([1], [2], [3])',
  ];
  for (const expression of right) t.same(messagesOf(expression), [], expression);
});

t.test('arguments have types that the function takes, where the text tells them', async (t) => {
  t.same(messagesOf("$round('x')"), ['"$round" takes number, optionally number; argument 1 is a string']);
  t.same(messagesOf('$substring(item.a, "b")'), [
    '"$substring" takes string, number, optionally number; argument 2 is a string',
  ]);
  t.same(messagesOf("'a' ~> $power(2)"), ['"$power" takes number, number; argument 1 is a string']);
  t.match(messagesOf('$map(item.list, 3)'), [/^"\$map" takes any value, function; argument 2 is a number$/]);
  const left = [
    /"\$substring" takes .*; the first can be left out only after a dot, as in "item\.value\.\$sub/,
  ];
  for (const expression of ['$substring(item.a)', 'item.a = 1 ? $substring(2)', '{"a": [$substring(3)]}'])
    t.match(messagesOf(expression), left, expression);
  t.match(messagesOf('$formatNumber(1)'), [/the first can be left out only after a dot/]);
  const right = [
    'item.a.$substring(1)',
    'item.list.(x & $substring(1))',
    'item.list[$substring(1) = "a"]',
    '$map(item.list, function($x) { $substring($x, 1) })',
    '($sum := 3; $round($sum))',
    '$contains(item.a, /x/) and $replace(item.a, "b", $uppercase) = "c"',
    '$sort(item.list, function($l, $r) { $l > $r })',
    '$string(null) & $not("a") & $count("a")',
    '$round(item.a, 2) ~> $formatNumber("0.00")',
    '$filter(item.list, $exists)',
    '$now("[Y]")',
  ];
  for (const expression of right) t.same(messagesOf(expression), [], expression);
});

t.test('variables and functions that the expression binds itself are fine, others are not', async (t) => {
  const bound = [
    '($double := function($x) { $x * 2 }; $double(item.a))',
    '$reduce(item.list, function($sum, $one) { $sum + $one })',
    'item.list#$i[$i > 1]',
    'item.list@$one.{ "a": $one.a }',
    '$$.item.a & $string($)',
  ];
  for (const expression of bound) t.same(messagesOf(expression), [], expression);
  t.same(messagesOf('$item.id'), ['Undefined variable "$item"; names are read without "$": item']);
});

t.test('names below args, steps, connectors, run and state are declared', async (t) => {
  t.same(messagesOf('args.sicne'), [
    'There is no argument "sicne" to read as "args.sicne"; did you mean "since"?',
  ]);
  t.match(messagesOf('args.nothere'), [/"args\.nothere"; declared: since$/]);
  t.match(messagesOf('steps.frist.count'), [/no step "frist" .*did you mean "first"/]);
  t.same(messagesOf('steps.first.rows'), ['There is no "steps.first.rows"; there are count, status, output']);
  t.match(messagesOf('connectors.db'), [/no connector "db"/]);
  t.match(messagesOf('run.Id & state.cursors'), [/did you mean "id"/, /did you mean "cursor"/]);
  const right = [
    'args.since & steps.third.status & steps.first.output.any.thing & connectors.file & state.cursor',
    'job_config.any.thing',
    '$lookup(args, "since")',
    'item.args.x & item.steps.y',
    'item.list[args.x = 1]',
    '$$.run.attempt',
    'run.first_id & run.task_key',
  ];
  for (const expression of right) t.same(messagesOf(expression), [], expression);
  t.match(parseTask(taskOf('args.nothere & $nosuch()')), { ok: true }, 'a stored task runs as it did');
});

t.test('names that every object has are names like any other', async (t) => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty'])
    t.match(messagesOf(`${name}.name & args.${name} & $${name}()`), [
      RegExp(name),
      RegExp(name),
      RegExp(name),
    ]);
});

t.test('the place of an expression inside of arguments is told', async (t) => {
  const text = taskOf('1').replace('method: read', 'method: read, args: {file: "{{ args.x }}"}');
  const parsed = parseTask(text, { connectorTypes });
  t.match(parsed, { ok: false, problems: [{ path: 'steps[0].args.file', line: 6, column: 76 }] });
});

t.test('nodes of a job template read its arguments and entries', async (t) => {
  const text = `version: 1
name: t
args: { day: {type: string} }
job_config:
  filter: { type: form, fields: [{ key: drop, type: boolean }] }
  fields: { type: field_mapping }
tasks:
  one:
    task: a
    args: { a: "{{ args.dya }}", b: "{{ job_config.filtr.drop }}", c: "{{ job_config.filter.dropp }}", d: "{{ job_config.filter.drop & args.day }}" }
    when: job_config.fields.x and run.attempt = 1
`;
  const parsed = parseJobTemplate(text, { connectorTypes });
  t.match(parsed, {
    ok: false,
    problems: [
      { message: /did you mean "day"/ },
      { message: /There is no entry "filtr" .*did you mean "filter"/ },
      { message: /There is no "job_config\.filter\.dropp"; did you mean "drop"/ },
    ],
  });
  t.equal(parsed.ok ? 0 : parsed.problems.length, 3);
});
