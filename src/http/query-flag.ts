import { z } from 'zod';

/** A boolean of a query, `?enabled=true`: exactly `true` or `false` as text, a boolean to the handler and in the OpenAPI document. */
export const queryFlag = z
  .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })
  .meta({ type: 'boolean' });
