import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEAD = `/**
 * The API as types, from openapi.json by \`node test/openapi-generate.ts\`; not changed by hand.
 */
`;

/** The text of `src/client/openapi-types.ts` for a document. */
export async function openapiTypesText(document: string): Promise<string> {
  // A value with a default may be left out of a request.
  const ast = await openapiTS(JSON.parse(document) as OpenAPI3, { defaultNonNullable: false, silent: true });
  return `${HEAD}\n${astToString(ast)}`;
}
