import { ConnectorError } from '../../driver.ts';
import { noMethod } from '../../files/open-file.ts';
import { parseInput } from '../../files/parse-input.ts';
import { excerptOf } from '../../http/verdict.ts';
import {
  odataActionArgs,
  odataBatchArgs,
  odataCreateArgs,
  odataDeleteArgs,
  odataUpdateArgs,
} from '../config.ts';
import type { OdataService } from '../odata-service.ts';
import { recordPath } from '../query/address.ts';
import { callPath } from '../query/operation.ts';
import { resultOf } from '../rows/annotations.ts';
import { sendBatch } from './batch.ts';
import { entityBody } from './entity-body.ts';

const ANSWERS_RECORD = { prefer: 'return=representation' };

/** The methods that write. */
export class EntityChanges {
  readonly #service: OdataService;

  constructor(service: OdataService) {
    this.#service = service;
  }

  async call(method: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    const parsed = <T>(schema: Parameters<typeof parseInput<T>>[0]) =>
      parseInput(schema, given, `the arguments of "${method}"`);
    switch (method) {
      case 'create':
        return this.#create(parsed(odataCreateArgs), signal);
      case 'update':
        return this.#update(parsed(odataUpdateArgs), signal);
      case 'delete':
        return this.#delete(parsed(odataDeleteArgs), signal);
      case 'action': {
        const args = parsed(odataActionArgs);
        const path = await callPath(this.#service, args, signal);
        return resultOf(await this.#service.askJson(path, { method: 'POST', body: args.parameters }, signal));
      }
      case 'batch':
        return this.#batch(parsed(odataBatchArgs), signal);
      default:
        throw noMethod('business_app', method);
    }
  }

  async #create(
    { entity, body }: ReturnType<typeof odataCreateArgs.parse>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const subject = await this.#service.subject(entity, signal);
    const record = entityBody(body, subject, this.#service.config.exact_numbers);
    return this.#service.askJson(entity, { method: 'POST', headers: ANSWERS_RECORD, body: record }, signal);
  }

  /** Changes a record that is there: without an ETag, whatever has become of it. */
  async #update(args: ReturnType<typeof odataUpdateArgs.parse>, signal: AbortSignal): Promise<unknown> {
    const { entity, key, body, etag } = args;
    const subject = await this.#service.subject(entity, signal);
    const record = entityBody(body, subject, this.#service.config.exact_numbers);
    const headers = { ...ANSWERS_RECORD, 'if-match': etag ?? '*' };
    const isRepeatable = etag === undefined;
    const path = recordPath(entity, key, subject);
    return this.#service.askJson(path, { method: 'PATCH', headers, body: record, isRepeatable }, signal);
  }

  async #delete(
    { entity, key, etag }: ReturnType<typeof odataDeleteArgs.parse>,
    signal: AbortSignal,
  ): Promise<{ readonly deleted: boolean }> {
    const path = recordPath(entity, key, await this.#service.subject(entity, signal));
    const headers = { 'if-match': etag ?? '*' };
    const answer = await this.#service.ask(path, { method: 'DELETE', headers, forRows: 'delete' }, signal);
    return { deleted: !answer.isEmpty };
  }

  /** Throws `CONFIG` where none of an atomic batch was done. */
  async #batch(
    { requests, atomic }: ReturnType<typeof odataBatchArgs.parse>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const isRepeatable = requests.every(({ method }) => method === 'GET');
    const options = { isAtomic: atomic, goesOn: true, isRepeatable };
    const answers = await sendBatch(this.#service, requests, options, signal);
    const failed = answers.findIndex((answer) => answer !== null && answer.status >= 400);
    if (atomic && failed >= 0) {
      const { status, body } = answers[failed] as { readonly status: number; readonly body: unknown };
      const said = excerptOf({ body: Buffer.from(JSON.stringify(body)), headers: {} });
      throw new ConnectorError(
        'CONFIG',
        `The whole batch was rejected: its request ${failed + 1} was answered with ${status}${said}`,
      );
    }
    return answers.map((answer) => (answer === null ? null : { status: answer.status, body: answer.body }));
  }
}
