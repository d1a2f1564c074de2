import { z } from 'zod';
import { messageOf } from '../../../base/errors.ts';
import { AbsentResourceError, COLUMN_TYPES } from '../../driver.ts';
import type { WrongConfig } from '../interface.ts';
import { type Check, connected, requireFault, requireThat, type Subject } from './check.ts';

const UNKNOWN_KEY = 'no_such_key_of_the_conformance_suite';
const signal = new AbortController().signal;

async function requireRefusal(
  { driver, context }: Subject,
  { config, fault, says }: WrongConfig,
): Promise<void> {
  let message = '';
  await requireFault(`A wrong configuration (${says})`, fault, async () => {
    try {
      const connection = await driver.connect(config, context);
      await connection.test(signal).finally(() => connection.close());
    } catch (error) {
      message = messageOf(error);
      throw error;
    }
  });
  requireThat(says.test(message), `A wrong configuration is refused with "${message}", not with ${says}`);
  const secrets = driver.secrets.map((key) => config[key]).filter((value) => typeof value === 'string');
  requireThat(!secrets.some((secret) => message.includes(secret)), 'The message has a secret in it');
}

/** Whoever asks for a resource that is not there is told so (404), and not that the connector fails. */
async function requireAbsent(what: string, work: () => Promise<unknown>): Promise<void> {
  let isAbsent = false;
  await requireFault(`${what} of an unknown resource`, 'CONFIG', () =>
    work().catch((error: unknown) => {
      isAbsent = error instanceof AbsentResourceError;
      throw error;
    }),
  );
  requireThat(isAbsent, `${what} of an unknown resource must end with the AbsentResourceError of the kit`);
}

/** Configuration, methods, test and introspection. */
export const DESCRIBING: readonly Check[] = [
  {
    name: 'configuration: the schema takes the sample and refuses unknown keys',
    run: async ({ driver, sample }) => {
      const parsed = driver.config.safeParse(sample.config);
      const [issue] = parsed.error?.issues ?? [];
      requireThat(parsed.success, `The sample is refused: ${issue?.path.join('.')}: ${issue?.message}`);
      const isStrict = !driver.config.safeParse({ ...sample.config, [UNKNOWN_KEY]: 1 }).success;
      requireThat(isStrict, 'An unknown key is accepted: use z.strictObject');
      return null;
    },
  },
  {
    name: 'configuration: connect refuses a wrong one',
    run: async ({ driver, sample, context }) => {
      await requireFault('An unknown key of the configuration', 'CONFIG', async () => {
        const connection = await driver.connect({ ...sample.config, [UNKNOWN_KEY]: 1 }, context);
        await connection.close();
      });
      return null;
    },
  },
  {
    name: 'configuration: secrets and host keys are keys of the schema',
    run: async ({ driver }) => {
      const { properties = {} } = z.toJSONSchema(driver.config, { io: 'input', unrepresentable: 'any' });
      for (const key of [...driver.secrets, ...driver.hostKeys])
        requireThat(key in properties, `"${key}" is no key of the configuration`);
      return null;
    },
  },
  {
    name: 'methods: their schemas refuse unknown arguments',
    run: async ({ driver }) => {
      if (driver.methods.length === 0 && driver.capabilities.write.length > 0)
        return 'the driver only writes';
      requireThat(driver.methods.length > 0, 'There is no method');
      const loose = driver.methods.find(({ args }) => args.safeParse({ [UNKNOWN_KEY]: 1 }).success);
      requireThat(loose === undefined, `"${loose?.name}" accepts an unknown argument: use z.strictObject`);
      return null;
    },
  },
  {
    name: 'test: a connection says that it works, in a line',
    run: (subject) =>
      connected(subject, async (connection) => {
        const said = await connection.test(signal);
        requireThat(typeof said === 'string' && /^\S[^\n]*$/.test(said), `It says ${JSON.stringify(said)}`);
        return null;
      }),
  },
  {
    name: 'test: a wrong configuration is refused, and the message says what is wrong and no secret',
    run: async (subject) => {
      const { wrong = [] } = subject.sample;
      for (const one of wrong) await requireRefusal(subject, one);
      return wrong.length === 0 ? 'the sample has no wrong configuration' : null;
    },
  },
  {
    name: 'introspection: resources have columns, and an unknown one is refused',
    run: (subject) =>
      connected(subject, async (connection) => {
        if (!subject.driver.capabilities.introspect) return 'the driver has no introspection';
        const resources = await connection.listResources(signal);
        const [first] = resources;
        requireThat(first !== undefined, 'The sample has no resource');
        const names = resources.map(({ name }) => name);
        requireThat(new Set(names).size === names.length, 'A resource is listed twice');
        const columns = await connection.describe(first.name, signal);
        requireThat(columns.length > 0, `"${first.name}" has no columns`);
        for (const { name, type, nullable } of columns) {
          const isColumn = COLUMN_TYPES.includes(type) && typeof nullable === 'boolean';
          requireThat(
            isColumn,
            `The column "${name}" of "${first.name}" has the type "${type}", nullable ${nullable}`,
          );
        }
        await requireAbsent('describe()', () => connection.describe(UNKNOWN_KEY, signal));
        const request = { resource: UNKNOWN_KEY, limit: 1, signal };
        await requireAbsent('page()', () => connection.page(request));
        return null;
      }),
  },
];
