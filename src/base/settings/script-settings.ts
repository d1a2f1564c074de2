import { z } from 'zod';
import { count, list, optional } from './setting-values.ts';

const HOST = /^(?!-)[a-z0-9_-]+(\.[a-z0-9_-]+)*(:[1-9]\d{0,4})?$/;

/** Hosts that may be connected to, as `host` or `host:port`, in lower case. */
const hosts = list
  .transform((entries) => entries.map((entry) => entry.toLowerCase()))
  .refine(
    (entries) => entries.every((entry) => HOST.test(entry)),
    'must be hosts such as api.example.com or api.example.com:443, by commas',
  );

const FORM =
  'must be name=folder entries by commas, or a list of maps with "name" and "folder"; names are lower-case letters, digits, "-" and "_"';

const namedFolder = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,99}$/),
  folder: z.string().min(1),
});

/** `geo=/opt/headgate/geo, money=/opt/headgate/money` or the list of maps. */
const namedFolders = z
  .preprocess(
    (given) => {
      if (typeof given !== 'string') return given;
      const entries = given.split(',').filter((entry) => entry.trim() !== '');
      const pairs = entries.map((entry) => /^\s*([^=\s]+)=(.+?)\s*$/.exec(entry));
      return pairs.includes(null) ? given : pairs.map((pair) => ({ name: pair?.[1], folder: pair?.[2] }));
    },
    z.array(namedFolder, FORM),
  )
  .refine(
    (folders) => new Set(folders.map(({ name }) => name)).size === folders.length,
    'names the same twice',
  );

/** `scripts` of the settings. */
export const scripts = z.strictObject({
  allow: z.enum(['off', 'admin', 'editor']).default('admin'),
  python: optional(z.string().min(1)),
  memory_mb: count(64, 65_536).default(256),
  uv: optional(z.string().min(1)),
  environments: optional(z.string().min(1)),
  packages: namedFolders.prefault([]),
  read: list.default([]),
  write: list.default([]),
  network: hosts.default([]),
});
