import type { Driver, Method } from '../../../src/drivers/driver.ts';
import type { CatalogueEntry, CatalogueMethod } from '../../../src/drivers/registry.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { code, pageHead, sentence, table } from './markdown.ts';
import { keyRows, keyTable } from './schema-rows.ts';

const INTRO = `The connector types of this version, with the configuration of each and its methods. A server answers the same, with JSON Schemas, at \`GET /api/connectors/types\`. The guide: [connectors](../connectors.md).

Methods that give **rows** are for \`extract\` steps, dashboards, options and the explorer; methods that give a **value** are for \`call\` steps and dashboards; methods that **write** are for \`call\` steps and the \`run\` of an action. A dashboard's [scope](../dashboards.md#scope) reaches a method as the last column says.`;

export function connectorsPage(): string {
  const drivers = allDrivers;
  const sections = drivers.catalogue().map((entry) => {
    const driver = drivers.get(entry.type);
    if (driver === undefined) throw new Error(`There is no driver "${entry.type}"`);
    return connectorSection(entry, driver);
  });
  return pageHead('Connectors', INTRO) + sections.join('');
}

const CONTEXT = { definitions: {}, linkOf: () => null };

function connectorSection({ type, title, config, methods }: CatalogueEntry, driver: Driver): string {
  const { write } = driver.capabilities;
  const facts = [
    ['Load modes', write.length === 0 ? 'none: read only' : write.map(code).join(', ')],
    ['Secret keys', driver.secrets.length === 0 ? 'none' : driver.secrets.map(code).join(', ')],
    [
      'Secrets must be given again when these change',
      driver.secrets.length === 0 ? 'none' : driver.hostKeys.map(code).join(', '),
    ],
    ...(driver.capabilities.oneLoadAtOnce === true ? [['Loads at once', 'one per connector']] : []),
    ...(driver.capabilities.writeBatchRows === undefined
      ? []
      : [['Rows per batch of a load', driver.capabilities.writeBatchRows.toLocaleString('en-US')]]),
  ];
  return [
    `\n## ${type}\n\n${sentence(title)}\n`,
    `\n${facts.map(([name, value]) => `- ${name}: ${value}\n`).join('')}`,
    `\n### Configuration of ${type}\n`,
    keyTable(keyRows(config, CONTEXT)),
    `\n### Methods of ${type}\n`,
    table(
      ['method', 'gives', 'purpose', 'scope'],
      methods.map((method) => [
        code(method.name),
        GIVES[method.kind],
        sentence(method.summary),
        scopeText(driver.methods.find(({ name }) => name === method.name)),
      ]),
    ),
    ...methods.map(argumentsOf),
  ].join('');
}

const GIVES: Readonly<Record<CatalogueMethod['kind'], string>> = {
  rows: 'rows',
  value: 'a value',
  write: 'writes',
};

function argumentsOf({ name, args }: CatalogueMethod): string {
  const rows = keyRows(args, CONTEXT);
  return rows.length === 0 ? '' : `\nArguments of ${code(name)}:\n${keyTable(rows)}`;
}

function scopeText(method: Method | undefined): string {
  if (method === undefined || method.kind === 'write') return '–';
  const { scope } = method;
  switch (scope?.kind) {
    case undefined:
      return 'refused under a scope';
    case 'unscoped':
      return 'not applied';
    case 'args':
      return 'its arguments win';
    case 'conditions':
      return `joined to ${code(scope.arg)} by AND`;
    case 'document':
      return `joined to ${code(scope.arg)} by \`$and\``;
    case 'pipeline':
      return `a first \`$match\` in ${code(scope.arg)}`;
    default:
      return scope satisfies never;
  }
}
