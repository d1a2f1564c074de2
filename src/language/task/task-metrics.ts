import { type MapReader, readMap } from '../yaml/map-reader.ts';
import type { Task } from './task.ts';

export const METRICS_ENTRIES_MAX = 20;

type ReadConfig = (config: MapReader) => void;

/**
 * The keys that the config of each backend may have, and what checks their values. The backends themselves check again what they
 * are given; a test compares the two.
 */
export const METRICS_BACKEND_KEYS = {
  noop: [],
  localdb: ['path', 'retention_days'],
  statsd: ['host', 'port', 'prefix', 'tags', 'tag_format', 'buffer_bytes', 'flush_ms'],
  http: ['url', 'key'],
  serverdb: ['url', 'retention_days'],
} as const satisfies Record<string, readonly string[]>;

type Backend = keyof typeof METRICS_BACKEND_KEYS;
const BACKENDS = Object.keys(METRICS_BACKEND_KEYS) as Backend[];

const retention: ReadConfig = (config) => {
  config.integer('retention_days', { min: 1, max: 3_650 });
};

const READERS: Readonly<Record<Backend, ReadConfig>> = {
  noop: () => undefined,
  localdb(config) {
    retention(config);
    const path = config.text('path', { charsMax: 500 });
    if (path === null || config.check.isPlaceholder(path)) return;
    const leaves = /^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..') || path === '';
    if (leaves)
      config.wrong(
        'path',
        `"path" must be a name in the server's folder for metrics, such as "./metrics.db"`,
      );
  },
  statsd(config) {
    config.text('host', { charsMax: 255 });
    config.integer('port', { min: 1, max: 65_535 });
    config.text('prefix', { charsMax: 100 });
    config.oneOf('tag_format', ['datadog', 'none']);
    config.integer('buffer_bytes', { min: 0, max: 65_507 });
    config.integer('flush_ms', { min: 10, max: 60_000 });
    for (const [key, value] of config.entries('tags'))
      if (typeof value !== 'string')
        config.check.add(config.at('tags', key), `The tag "${key}" must be a text: write it in quotes`);
  },
  http(config) {
    config.text('key', { charsMax: 500 });
    requireUrl(config, /^https?:\/\/[^/]/, 'http:// or https://');
  },
  serverdb(config) {
    retention(config);
    requireUrl(config, /^postgres(ql)?:\/\//, 'postgres://');
  },
};

function requireUrl(config: MapReader, form: RegExp, words: string): void {
  const url = config.text('url', { required: true, charsMax: 2_000 });
  if (url === null || config.check.isPlaceholder(url) || form.test(url)) return;
  config.wrong('url', `"url" must be a ${words} URL`);
}

/** Reads the `metrics` section: `[{backend, config}]`. Null where it is absent; a list, even an empty one, stands for itself. */
export function readTaskMetrics(reader: MapReader): Task['metrics'] {
  const list = reader.list('metrics', { max: METRICS_ENTRIES_MAX });
  if (list === null) return null;
  return list.flatMap((item, index) => {
    const entry = readMap(reader.check, item, reader.at('metrics', index), { keys: ['backend', 'config'] });
    const backend = entry?.oneOf('backend', BACKENDS, { required: true });
    if (!entry || !backend) return [];
    const given = entry.has('config') ? entry.value('config') : {};
    const config = readMap(reader.check, given, entry.at('config'), { keys: METRICS_BACKEND_KEYS[backend] });
    if (config === null) return [];
    READERS[backend](config);
    return [{ backend, config: { ...config.map } }];
  });
}
