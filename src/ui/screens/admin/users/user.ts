import type { components } from '../../../../client/openapi-types.ts';

export type User = components['schemas']['User'];
