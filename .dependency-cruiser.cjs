/**
 * The import table of README.md as rules. A room (a folder of src, or workers) may import what its line names, `base`, itself
 * and npm packages; everything else is an error, and so is a file outside every room.
 */
const MODULES = [
  'health',
  'audit',
  'deletions',
  'run-texts',
  'definitions',
  'users',
  'auth',
  'connector-health',
  'connectors',
  'tasks',
  'job-templates',
  'dashboard-templates',
  'ai-references',
  'metrics',
  'runs',
  'run-logs',
  'dead-letters',
  'job-runs',
  'jobs',
  'triggers',
  'retention',
  'executors',
  'executor-callbacks',
  'server',
  'branding',
  'explorer-presets',
  'dashboards',
  'dashboard-widgets',
  'share-links',
  'webhooks',
  'notifications',
  'export-import',
  'ai',
];

const ROOMS = {
  'src/base': [],
  'src/client': [],
  'src/language': [],
  'src/store': [],
  'src/http': ['src/config.ts'],
  'src/protocol': [],
  'src/threads': ['src/language', 'src/drivers'],
  'src/drivers': ['src/language'],
  'src/metering': [],
  'src/engine': ['src/language', 'src/drivers', 'src/metering', 'src/threads'],
  'src/executor': [
    'src/config.ts',
    'src/language',
    'src/drivers',
    'src/engine',
    'src/protocol',
    'src/metering',
    'src/threads',
  ],
  'src/widget-data': ['src/language', 'src/drivers', 'src/threads'],
  'src/ui': ['src/client'],
  'src/config.ts': ['src/settings.ts'],
  'src/settings.ts': [],
  'src/version.ts': [],
  workers: ['src/engine', 'src/widget-data', 'src/drivers', 'src/language', 'src/threads'],
};

const BELOW_MODULES = [
  'src/config.ts',
  'src/language',
  'src/store',
  'src/http',
  'src/protocol',
  'src/threads',
  'src/drivers',
  'src/metering',
];

for (const [index, name] of MODULES.entries()) {
  const above = MODULES.slice(0, index).map((module) => `src/modules/${module}`);
  ROOMS[`src/modules/${name}`] = [...BELOW_MODULES, ...above];
}

/** Composition: main.js, app/ and the commands. They may import everything but tests. */
const TOP = ['^src/main[.](js|ts)$', '^src/app/', '^src/commands/'];

const OUTSIDE_SRC = '^(src|workers|test|bench|examples|deploy|[.]ci)(/|$)';
const pattern = (room) => (room.endsWith('.ts') ? `^${room.replaceAll('.', '[.]')}$` : `^${room}/`);
const anyOf = (rooms) => rooms.map(pattern);

const roomRules = Object.entries(ROOMS).map(([room, imports]) => ({
  name: `${room} imports ${['base', ...imports.map((path) => path.replace('src/', ''))].join(', ')}`,
  severity: 'error',
  from: { path: pattern(room) },
  to: {
    path: OUTSIDE_SRC,
    pathNot: anyOf([room, ...(room === 'src/ui' ? [] : ['src/base']), ...imports]),
  },
}));

/**
 * The rooms of src/ui, from the ground up, with what each may import of the others. The folder of a page (share, app) is imported by
 * no other, and no screen imports another.
 */
const UI_PARTS = ['charts', 'explorer', 'inputs', 'widgets'];
const UI_ROOMS = {
  texts: [],
  api: [],
  kit: ['texts', 'api'],
  ...Object.fromEntries(UI_PARTS.map((part) => [part, ['texts', 'api', 'kit']])),
  dashboard: ['texts', 'api', 'kit', ...UI_PARTS],
  share: ['texts', 'api', 'kit', 'dashboard'],
  frame: ['texts', 'kit'],
  screens: ['texts', 'api', 'kit', 'dashboard', 'frame', ...UI_PARTS],
  app: ['texts', 'kit', 'frame', 'screens'],
};

const uiRules = [
  {
    name: 'every file of src/ui that imports another is in a room of it',
    severity: 'error',
    from: { path: '^src/ui/', pathNot: anyOf(Object.keys(UI_ROOMS).map((room) => `src/ui/${room}`)) },
    to: { path: '^src/ui/' },
  },
  ...Object.entries(UI_ROOMS).map(([room, imports]) => ({
    name: `src/ui/${room} imports ${imports.join(', ') || 'nothing of src/ui'}`,
    severity: 'error',
    from: { path: `^src/ui/${room}/` },
    to: { path: '^src/ui/', pathNot: anyOf([room, ...imports].map((part) => `src/ui/${part}`)) },
  })),
];

module.exports = {
  forbidden: [
    ...roomRules,
    ...uiRules,
    {
      name: 'every file is in a room',
      severity: 'error',
      from: {},
      to: { path: '^(src|workers)/', pathNot: [...anyOf(Object.keys(ROOMS)), ...TOP] },
    },
    {
      name: 'every file that imports is in a room',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: [...anyOf(Object.keys(ROOMS)), ...TOP] },
      to: {},
    },
    {
      name: 'threads know language and drivers by their types alone',
      severity: 'error',
      from: { path: '^src/threads/' },
      to: { path: ['^src/language/', '^src/drivers/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'main, app and commands import no tests',
      severity: 'error',
      from: { path: TOP },
      to: { path: '^(test|bench|examples|deploy|[.]ci)/' },
    },
    {
      name: 'language reaches no file, network or process',
      severity: 'error',
      from: { path: '^src/language/' },
      // Of `module`, the parser of TypeScript: text in, text out.
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?module$' },
    },
    { name: 'every import is found', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no circle of imports, types included',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: ['^dist/', '[.]css$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.d.ts'],
    },
    builtInModules: { add: ['node:sqlite'] },
  },
};
