import type { components } from '../../../../client/openapi-types.ts';

export type Settings = components['schemas']['ServerConfiguration']['settings'];
