import type { components } from '../../../../client/openapi-types.ts';

export type Webhook = components['schemas']['Webhook'];
