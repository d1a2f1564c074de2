/**
 * A source of the Airbyte protocol that tells a specification with all that such ones have: an order, references, alternatives, secrets.
 * It counts its starts in the file "starts" of its working folder, and takes whatever its specification allows.
 */
import { appendFileSync } from 'node:fs';

const [command = ''] = process.argv.slice(2);
const say = (type: string, key: string, body: object) => console.log(JSON.stringify({ type, [key]: body }));

const SPECIFICATION = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  title: 'Shop',
  required: ['shop', 'credentials'],
  additionalProperties: false,
  definitions: { region: { type: 'string', enum: ['eu', 'us'], title: 'Region', default: 'eu' } },
  properties: {
    pages: { type: 'integer', minimum: 1, maximum: 50, default: 10, title: 'Pages', order: 3 },
    credentials: {
      title: 'How to sign in',
      type: 'object',
      order: 1,
      oneOf: [
        {
          title: 'Token',
          type: 'object',
          required: ['option', 'token'],
          properties: {
            option: { type: 'string', const: 'token' },
            token: { type: 'string', title: 'Access token', airbyte_secret: true, minLength: 8 },
          },
        },
        {
          title: 'Name and password',
          required: ['option', 'user'],
          properties: {
            option: { type: 'string', enum: ['basic'] },
            user: { type: ['string', 'null'], title: 'User' },
            password: { type: 'string', title: 'Password', airbyte_secret: true },
          },
        },
      ],
    },
    region: { $ref: '#/definitions/region', order: 2 },
    shop: {
      type: 'string',
      title: 'Shop',
      description: 'Name of the shop',
      examples: ['nordwind'],
      pattern: '^[a-z]+$',
      order: 0,
    },
    webhooks: { type: 'array', items: { type: 'object', properties: { key: { airbyte_secret: true } } } },
    internal: { type: 'string', airbyte_hidden: true },
  },
};

appendFileSync('starts', `${command}\n`);
if (command === 'spec') say('SPEC', 'spec', { connectionSpecification: SPECIFICATION });
else if (command === 'check') say('CONNECTION_STATUS', 'connectionStatus', { status: 'SUCCEEDED' });
else say('CATALOG', 'catalog', { streams: [] });
