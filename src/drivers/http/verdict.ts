import type { OutboundAnswer } from '../../base/outbound/outbound-answer.ts';
import type { OutboundError } from '../../base/outbound/outbound-error.ts';
import { isPlainServer } from '../../base/outbound/unreachable.ts';
import type { Expression } from '../../language/expression/expression.ts';
import { ExpressionError } from '../../language/expression/expression.ts';
import { isTrue } from '../../language/truth.ts';
import { AbsentResourceError, ConnectorError } from '../driver.ts';
import { parseJson } from '../json/parse-json.ts';
import type { ErrorRule, HttpConfig } from './config.ts';
import { askedWaitMs } from './retry-wait.ts';

const EXCERPT_CHARS = 300;
/** Who corrects a row reads what is wrong with it. */
const ROW_EXCERPT_CHARS = 2_000;

/** What rows a request carries. A refusal of such a request is theirs, not the configuration's. */
export type CarriedRows = 'append' | 'upsert' | 'delete';

/** What becomes of one answer. */
export type Verdict =
  | { readonly kind: 'answer'; readonly isEmpty: boolean }
  | { readonly kind: 'retry' | 'renew' | 'fail'; readonly error: ConnectorError };

/** The API has surely not done what was asked for, so that the same request may be sent again whatever it does. */
export class UndoneError extends ConnectorError {}

/** A rule of the configuration whose expression is compiled. */
export interface CompiledRule extends ErrorRule {
  readonly expression: Expression | null;
}

/** Throws `CONFIG` for an expression that cannot be read, with its place. */
export async function compileRules(rules: readonly ErrorRule[]): Promise<readonly CompiledRule[]> {
  if (rules.every(({ when }) => when.expr === undefined))
    return rules.map((rule) => ({ ...rule, expression: null }));
  const { parseExpression } = await import('../../language/expression/parse-expression.ts');
  return rules.map((rule, index) => {
    const source = rule.when.expr;
    if (source === undefined) return { ...rule, expression: null };
    const parsed = parseExpression(source);
    if (parsed.ok) return { ...rule, expression: parsed.expression };
    const { message, position } = parsed.problem;
    throw new ConnectorError(
      'CONFIG',
      `"errors.${index}.when.expr" cannot be read at character ${position + 1}: ${message}`,
    );
  });
}

/** What an answer means: by the first rule that fits, else by its status. */
export async function judge(
  config: HttpConfig,
  rules: readonly CompiledRule[],
  answer: OutboundAnswer,
  carried: CarriedRows | null,
): Promise<Verdict> {
  const rule = rules.length === 0 ? null : await fittingRule(rules, answer);
  const { status } = answer;
  if (rule === null && status >= 200 && status < 300) return { kind: 'answer', isEmpty: false };
  if (rule === null && carried === 'delete' && (status === 404 || status === 410))
    return { kind: 'answer', isEmpty: true };
  const error = failureOf(answer, config, rule?.message, carried);
  if (rule !== null) return verdictOf(rule, error);
  if (status === 401) return { kind: 'renew', error };
  return { kind: config.retry.statuses.includes(status) ? 'retry' : 'fail', error };
}

async function fittingRule(
  rules: readonly CompiledRule[],
  answer: OutboundAnswer,
): Promise<CompiledRule | null> {
  let body: unknown;
  for (const rule of rules) {
    const { status, body_contains } = rule.when;
    if (status !== undefined && !status.includes(answer.status)) continue;
    if (body_contains !== undefined && !answer.body.includes(body_contains)) continue;
    if (rule.expression === null) return rule;
    body ??= jsonOrText(answer.body);
    try {
      const scope = { status: answer.status, headers: answer.headers, body };
      if (isTrue(await rule.expression.evaluate(scope))) return rule;
    } catch (cause) {
      if (!(cause instanceof ExpressionError)) throw cause;
      const message = `"${rule.when.expr}" of "errors" cannot be worked out for an answer: ${cause.message}`;
      throw new ConnectorError('CONFIG', message, { cause });
    }
  }
  return null;
}

/** JSON, else text. */
function jsonOrText(body: Buffer): unknown {
  const text = body.toString('utf8');
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function verdictOf({ action }: ErrorRule, error: ConnectorError): Verdict {
  switch (action) {
    case 'ignore':
    case 'empty':
      return { kind: 'answer', isEmpty: action === 'empty' };
    case 'refresh_auth':
      return { kind: 'renew', error };
    default:
      return { kind: action, error };
  }
}

function failureOf(
  answer: OutboundAnswer,
  { retry }: HttpConfig,
  message: string | undefined,
  carried: CarriedRows | null,
): ConnectorError {
  const { status, headers } = answer;
  const text = message ?? `The API answered ${status}${excerptOf(answer)}`;
  if (status === 401 || status === 403) return new ConnectorError('AUTH', message ?? deniedWords(answer));
  const wait = askedWaitMs(retry, headers, Date.now());
  const after = wait === null ? {} : { retryAfterMs: wait };
  if (status === 429) return new UndoneError('UNAVAILABLE', text, after);
  if (status >= 500 || retry.statuses.includes(status)) return new ConnectorError('UNAVAILABLE', text, after);
  // A list of rows has a path of its own; that of one row may not be there.
  const isPath = [404, 405, 410].includes(status) && carried !== 'upsert';
  if (carried !== null && !isPath && (status < 300 || status >= 400))
    return new ConnectorError(
      'DATA',
      message ?? `The API answered ${status}${excerptOf(answer, ROW_EXCERPT_CHARS)}`,
    );
  if (status === 404 || status === 410) return new AbsentResourceError(text);
  return new ConnectorError('CONFIG', text);
}

function deniedWords(answer: OutboundAnswer): string {
  const what =
    answer.status === 401
      ? 'check the credentials of this connector'
      : 'check what the credentials of this connector may do';
  return `The API answered ${answer.status} (${what})${excerptOf(answer)}`;
}

/** The beginning of what an answer says, on one line. */
export function excerptOf(
  { body, headers }: Pick<OutboundAnswer, 'body' | 'headers'>,
  chars = EXCERPT_CHARS,
): string {
  const type = headers['content-type'] ?? '';
  if (body.length === 0 || !/json|text|xml|^$/i.test(type)) return '';
  const bare = body.subarray(0, 8_000).toString('utf8');
  const text = (/html/i.test(type) ? bare.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : bare)
    .replace(/\s+/g, ' ')
    .trim();
  if (text === '') return '';
  return `: ${text.length > chars ? `${text.slice(0, chars)}…` : text}`;
}

/** Codes of connections that never came about. */
const UNCONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Codes of a certificate that is not good, or of no TLS at all on the other side. */
const TLS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_(SSL|TLS)|^EPROTO$/;

/** A request that brought no answer. */
export function outboundFault(error: OutboundError, config: HttpConfig): ConnectorError {
  const { max_response_bytes, timeout_ms } = config;
  const options = { cause: error };
  switch (error.code) {
    case 'OUTBOUND_REFUSED':
    case 'OUTBOUND_INVALID':
      return new ConnectorError('CONFIG', error.message, options);
    case 'OUTBOUND_TOO_LARGE': {
      const message = `The response is larger than ${max_response_bytes} bytes: request smaller pages or raise "max_response_bytes"`;
      return new ConnectorError('CONFIG', message, options);
    }
    default:
      break;
  }
  if (isPlainServer(error))
    return new ConnectorError(
      'CONFIG',
      'The API does not speak TLS at this port: correct "base_url", or begin it with "http://"',
      options,
    );
  const code = codesOf(error).find((one) => TLS.test(one));
  if (code !== undefined)
    return new ConnectorError(
      'CONFIG',
      `This machine does not trust the TLS certificate of the API (${code}); set NODE_EXTRA_CA_CERTS for a private CA`,
      options,
    );
  const isSilent = error.code === 'OUTBOUND_TIMEOUT';
  const message = isSilent ? `The API did not answer within ${timeout_ms} ms` : error.message;
  const isUndone = codesOf(error).some((one) => UNCONNECTED.includes(one));
  return isUndone
    ? new UndoneError('UNAVAILABLE', message, options)
    : new ConnectorError('UNAVAILABLE', message, options);
}

/** The system's codes of an error and its causes. */
function codesOf(thrown: Error): readonly string[] {
  const codes: string[] = [];
  let error: unknown = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth++) {
    codes.push(String((error as { readonly code?: unknown }).code ?? ''));
    error = error.cause;
  }
  return codes;
}
