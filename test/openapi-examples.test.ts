import t from 'tap';
import { EXECUTOR_KEY, startFullApp } from './support/full-app.ts';
import { type OpenapiOperation, openapiDocument } from './support/openapi-check.ts';

/** What a request that is well-formed needs besides, and this new server does not have. */
const NOT_HERE =
  /There is no connector \\"\d+\\"|No sign-in is in progress|The \\"current\\" password is wrong|ai.api_key\\" is not set/;

const full = await startFullApp(t);
const { visitor: root } = await full.superadmin();
const executor = full.withToken(EXECUTOR_KEY);

interface Sendable {
  readonly at: string;
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly executor: boolean;
  readonly example: object;
  readonly mayBeLeftOut: boolean;
}

const sendable: Sendable[] = Object.entries(openapiDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => {
    const example = operation.requestBody?.content['application/json']?.example as object | undefined;
    if (example === undefined) return [];
    return {
      at: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase() as 'POST',
      url: urlOf(path, operation),
      executor: operation.security?.some((way) => 'ExecutorKeyAuth' in way) ?? false,
      example,
      mayBeLeftOut: operation.requestBody?.required !== true,
    };
  }),
);

/** The path with the examples of its parameters. */
function urlOf(path: string, { parameters = [] }: OpenapiOperation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((parameter) => parameter.name === name)?.example;
    if (example === undefined) throw new Error(`${path}: no example of "${name}"`);
    return encodeURIComponent(String(example));
  });
}

t.test('the example of every body is a request that the server takes', async (t) => {
  t.ok(sendable.length > 60, `${sendable.length} examples`);
  const refused: string[] = [];
  for (const { at, method, url, example, executor: ofExecutor } of sendable) {
    const { status, text } = await (ofExecutor ? executor : root).send(method, url, example);
    if ((status === 400 && !NOT_HERE.test(text)) || status >= 500) refused.push(`${at}: ${status} ${text}`);
  }
  t.same(refused, []);
});

t.test('the YAML of the examples is valid', async (t) => {
  const validated = sendable.filter(({ at }) => at.endsWith('/validate'));
  t.equal(validated.length, 4);
  for (const { at, url, example } of validated)
    t.match(await root.post(url, example), { status: 200, body: { valid: true, problems: [] } }, at);
});

t.test('a body is optional exactly where the server takes a request without one', async (t) => {
  const untrue: string[] = [];
  for (const { at, method, url, executor: ofExecutor, mayBeLeftOut } of sendable) {
    const { status, text } = await (ofExecutor ? executor : root).send(method, url);
    // Refused before the body is looked at: nothing is said of it.
    if (status === 401 || /No sign-in is in progress|This link is not valid/.test(text)) continue;
    if ((status === 400 && !NOT_HERE.test(text)) === mayBeLeftOut) untrue.push(`${at}: ${status} ${text}`);
  }
  t.same(untrue, []);
  t.equal(sendable.filter(({ mayBeLeftOut }) => mayBeLeftOut).length, 23);
});

t.test('these answers are what the document says', async (t) => {
  t.same([...new Set(full.openapi.breaches)], []);
});
