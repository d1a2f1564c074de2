import { z } from 'zod';
import { oneLine } from '../definitions/definition-fields.ts';

const IMAGE_CHARS_MAX = 200_000;
const URL_CHARS_MAX = 1_000;
const NAME_CHARS_MAX = 60;
/** Sources that the pages' content security policy allows, without markup. */
const IMAGE = /^(?:\/(?![/\\])[^\s]*|data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+={0,2})$/;

const image = z
  .string()
  .max(IMAGE_CHARS_MAX)
  .regex(
    IMAGE,
    'Give a path of this server, such as "/logo.png", or a "data:image/png;base64,…" of up to 200 KB',
  )
  .nullable();

/** The branding that pages show before anybody has signed in. */
export const branding = z
  .object({
    product_name: z.string().describe('Up to 60 characters'),
    logo_url: z.string().nullable(),
    favicon_url: z.string().nullable(),
    primary_color: z
      .string()
      .nullable()
      .describe('`#rgb` or `#rrggbb`; adjusted to be readable in both themes'),
    support_url: z.string().nullable(),
  })
  .meta({ id: 'Branding' });
export type Branding = z.infer<typeof branding>;

/** Keys that are left out are reset to their defaults. */
export const brandingInput = z.strictObject({
  product_name: oneLine(NAME_CHARS_MAX).default('Headgate'),
  logo_url: image.default(null),
  favicon_url: image.default(null),
  primary_color: z
    .string()
    .regex(/^#(?:[\da-f]{3}|[\da-f]{6})$/i, 'Give a colour as "#rgb" or "#rrggbb"')
    .nullable()
    .default(null),
  support_url: z
    .string()
    .max(URL_CHARS_MAX)
    .regex(/^(?:https?:\/\/[^\s]+|mailto:[^\s@]+@[^\s@]+)$/i, 'Give an http(s) or mailto address')
    .nullable()
    .default(null),
});

export const DEFAULT_BRANDING: Branding = brandingInput.parse({});
