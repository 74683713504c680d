import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Test names and test code read like the rest of the house; these few rules would only make them longer. */
const TESTS = ['**/*.spec.ts', '**/*.e2e-spec.ts', 'test/**/*.ts', 'libs/platform/testing/**/*.ts'];

/** What plain Node scripts find without importing it. */
const SCRIPT_GLOBALS = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'Buffer',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  '__dirname',
  '__filename',
  'clearInterval',
  'clearTimeout',
  'console',
  'crypto',
  'document',
  'exports',
  'fetch',
  'globalThis',
  'module',
  'performance',
  'process',
  'queueMicrotask',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'structuredClone',
  'window',
];

const NO_FOCUSED_TESTS = ['it', 'test', 'describe'].flatMap((name) => [
  {
    selector: `CallExpression[callee.object.name='${name}'][callee.property.name='only']`,
    message: 'A focused test hides all the others.',
  },
  {
    selector: `CallExpression[callee.object.name='${name}'][callee.property.name='skip']`,
    message: 'A skipped test must depend on a named condition: const describeRedis = url ? describe : describe.skip.',
  },
]);
const NO_SHORT_FORMS = ['fit', 'fdescribe', 'xit', 'xdescribe', 'xtest'].map((name) => ({
  selector: `CallExpression[callee.name='${name}']`,
  message: 'A focused or skipped test hides what it does not run.',
}));

const IN_FUNCTIONS = 'A pattern from input: use BoundedPattern, or say beside it what it is made of.';
/** Where texts become patterns: `match` and its like are names of methods of ours as well, so that a text that is written out is refused alone. */
const FROM_INPUT = [
  { selector: ":function CallExpression[callee.name='RegExp'][arguments.0.type!='Literal']", message: IN_FUNCTIONS },
  {
    // A text as a pattern: the rules on patterns see literals of patterns alone.
    selector: 'CallExpression[callee.property.name=/^(?:match|matchAll|search)$/] > Literal.arguments:first-child[raw=/^[\'"]/]',
    message: 'A text as a pattern is read by no rule on patterns: write it as /…/.',
  },
  {
    selector: ":function NewExpression[callee.name='RegExp'][arguments.0.type!='Literal']",
    message: IN_FUNCTIONS,
  },
  { selector: "CallExpression[callee.object.name='RE2JS'][callee.property.name='compile']", message: IN_FUNCTIONS },
];

/** The engine takes the square of the number of marks that follow one another. */
const NORMAL_FORMS = {
  selector: 'CallExpression[callee.property.name="normalize"] > Literal.arguments:first-child[value=/^NFK?[CD]$/]',
  message: 'Use normalized(text, form), whose time grows with the length of the text.',
};

/** What is stored or sent is read where it comes in: a column has its type, JSON a guard, and `asJson` is checked by the compiler. */
const FORCED_TYPES = {
  selector: 'TSAsExpression > TSAsExpression.expression > TSUnknownKeyword.typeAnnotation',
  message: 'A type is not forced with `as unknown as`: give the column its type, write a guard, or use asJson of the kernel.',
};

/** What says neither verb nor object. Listeners are named `on<Event>`, and so are the hooks of the framework. */
const OPAQUE =
  '/^(?:about|add|all|answer|apply|ask|at|by|come|do|done|find|follow|for|from|go|goOn|hear|held|keep|known|look|make|met|of|on|one|page|pass|put|row|run|send|settle|take|tell|told|touch|under|use|with)$|^(?:of|at|by|in|from|for|with)[A-Z]/';
const VISIBLE = '[accessibility!=/private|protected/]';
const INJECTED = 'ClassDeclaration:has(> Decorator[expression.callee.name="Injectable"])';
const STORED = 'ClassDeclaration[id.name=/(?:Repository|Rows|Store)$/]:not(:has(> Decorator[expression.callee.name="Injectable"]))';
/** A name that neither grep nor a person can follow says what is done to what: `findThread`, `reserveCredits`. */
const OPAQUE_NAMES = [
  ...[INJECTED, STORED].flatMap((holder) => [
    `${holder} > ClassBody > MethodDefinition[kind="method"]${VISIBLE}`,
    `${holder} > ClassBody > PropertyDefinition${VISIBLE}:has(> ArrowFunctionExpression.value)`,
  ]),
  `TSAbstractMethodDefinition[kind="method"]${VISIBLE}`,
].map((member) => ({
  selector: `${member} > Identifier.key[name=${OPAQUE}]`,
  message: 'A method of a service, repository or store is named with a verb and an object, such as findThread (CONTRIBUTING, Names).',
}));

/** The longest text that a slow pattern may read; tools read what is theirs. */
const MOST_CHARACTERS = 5_000;

/** The author who leaves a slow pattern in says how long the text is that it reads, and where that is decided. */
const boundedByComment = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      unbounded: 'Say how long the text is: `-- ≤ 255 characters: the name of a file`.',
      tooLong: 'A slow pattern may read at most 5,000 characters: cut the text, or read it in one pass.',
    },
  },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments())
        if (/eslint-disable.*regexp\/no-super-linear/.test(comment.value)) {
          const [, most] = /-- ≤ (\d[\d,]*) characters: \S/.exec(comment.value) ?? [];
          if (most === undefined) context.report({ loc: comment.loc, messageId: 'unbounded' });
          else if (Number(most.replaceAll(',', '')) > MOST_CHARACTERS) context.report({ loc: comment.loc, messageId: 'tooLong' });
        }
    },
  }),
};

const MAY_BE_NULL = /\bnull\b|\bunknown\b|\bJsonValue\b/;

/** `optional` lets null in: where the type knows no null, what handles the value meets one that nobody thought of. */
const nullWhereTheTypeHasIt = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { unmeant: '`optional` takes null: give the type its null and say what it means, or make the field `omittable`.' },
  },
  create: (context) => ({
    'PropertyDefinition > Decorator ObjectExpression > Property[key.name="optional"][value.value=true]'(node) {
      const field = context.sourceCode.getAncestors(node).findLast(({ type }) => type === 'PropertyDefinition');
      if (!MAY_BE_NULL.test(context.sourceCode.getText(field.typeAnnotation ?? field.key))) context.report({ node, messageId: 'unmeant' });
    },
  }),
};

export default tseslint.config(
  { ignores: ['**/node_modules/', 'dist/', '.data/', 'coverage/', '**/*.d.ts', '**/*.js', 'docs/'] },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: Object.fromEntries(SCRIPT_GLOBALS.map((name) => [name, 'readonly'])) },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-undef': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'all' }],
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-param-reassign': 'error',
      'prefer-const': 'error',
      'max-lines': ['warn', { max: 320, skipBlankLines: true, skipComments: true }],
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true, namespaceFrom: true } },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only the config room reads the environment: inject Settings.' },
      ],
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends', allowObjectTypes: 'never' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', name: ['it', 'test', 'describe'], package: 'node:test' }] },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false, attributes: false } }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/no-unsafe-declaration-merging': 'off', // `abstract class Settings` and its interface are one name on purpose
      '@typescript-eslint/no-unsafe-function-type': 'off', // class references of decorators are `Function`
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true, allowNever: true }],
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/unbound-method': ['error', { ignoreStatic: true }],
    },
  },
  {
    // Time that grows with the square of a text stops everybody: what reads texts that others wrote runs on one event loop.
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'tools/**/*.mjs'],
    ignores: [
      ...TESTS,
      // Run in processes of their own, with a limit of time.
      'libs/retrieval/src/extraction/**',
      'libs/files/src/inspection/infrastructure/svg-*.ts',
    ],
    plugins: { regexp, texts: { rules: { 'bounded-by-comment': boundedByComment } } },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: false, ignorePartial: false }],
      'texts/bounded-by-comment': 'error',
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: [...TESTS, 'libs/platform/patterns/**'],
    rules: { 'no-restricted-syntax': ['error', ...FROM_INPUT, NORMAL_FORMS, FORCED_TYPES, ...OPAQUE_NAMES] },
  },
  {
    files: ['libs/platform/kernel/src/normalized.ts'],
    rules: { 'no-restricted-syntax': ['error', ...FROM_INPUT, FORCED_TYPES, ...OPAQUE_NAMES] },
  },
  {
    files: ['libs/platform/kernel/src/json.ts'],
    rules: { 'no-restricted-syntax': ['error', ...FROM_INPUT, NORMAL_FORMS, ...OPAQUE_NAMES] },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    plugins: { fields: { rules: { 'null-where-the-type-has-it': nullWhereTheTypeHasIt } } },
    rules: { 'fields/null-where-the-type-has-it': 'error' },
  },
  { files: ['libs/platform/config/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['apps/cli/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: TESTS,
    rules: {
      'max-lines': 'off',
      'no-console': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', ...NO_FOCUSED_TESTS, ...NO_SHORT_FORMS],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off', // supertest's bodies are untyped
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
