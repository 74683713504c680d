// Puts a new area into the module of its context and the table of areas, and a new context into the API.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';
import { write } from './writing.mjs';

const LAW = '.dependency-cruiser.cjs';

/** Answers a line for each file changed, or what is left to do by hand where a file is not of the usual shape. */
export async function wireArea(names) {
  assertEdges(names.context);
  const modulePath = `libs/${names.context}/src/${names.context}.module.ts`;
  if (existsSync(join(projectRoot, modulePath)))
    return [
      await change(
        modulePath,
        (text) => intoContext(text, names),
        `${names.Resources}Module into the imports and exports of ${names.Context}Module, ${names.Resources}HttpModule into the imports of ${names.Context}HttpModule`,
      ),
      ...(hasAreas(names.context) ? [await change(LAW, (text) => intoAreas(text, names), `${names.plural} into AREAS`)] : []),
    ];
  await write(modulePath, newModule(names));
  await write(
    `libs/${names.context}/src/index.ts`,
    `export { ${names.Context}HttpModule, ${names.Context}Module } from './${names.context}.module';\n`,
  );
  await write(`libs/${names.context}/README.md`, readme(names));
  return [
    `written: ${modulePath}, its index.ts and README.md`,
    await change(LAW, (text) => withContext(text, names), `the context ${names.context} with its area ${names.plural} into AREAS`),
    await change('apps/api/src/api.module.ts', (text) => intoApi(text, names), `${names.Context}HttpModule into the imports of the API`),
  ];
}

function assertEdges(context) {
  if (!new RegExp(`[{ ]'?${context}'?: \\[`).test(read(LAW)))
    throw new Error(`${LAW} does not list the context ${context}. Add it with its edges first.`);
}

async function change(path, alter, otherwise) {
  const altered = alter(read(path));
  if (!altered) return `by hand, in ${path}: ${otherwise}`;
  await write(path, altered);
  return `changed: ${path}`;
}

const read = (path) => readFileSync(join(projectRoot, path), 'utf8');

/** Whether the table of areas names those of the context; one that has its layers at its top is listed without any, or not at all. */
const hasAreas = (context) => /\w/.test(tableOf(read(LAW), context)?.[2] ?? '');
const tableOf = (law, context) => new RegExp(`(const AREAS = \\{[\\s\\S]*?\\n  '?${context}'?: \\{)([^}]*?)(,?\\s*\\})`).exec(law);

function intoAreas(law, { context, plural }) {
  const [whole, open, areas, close] = tableOf(law, context);
  return law.replace(whole, () => `${open}${areas},\n    '${plural}': []${close}`);
}

/** A context whose first area this is. */
function withContext(law, names) {
  if (tableOf(law, names.context)) return hasAreas(names.context) ? intoAreas(law, names) : null;
  const table = /const AREAS = \{[\s\S]*?\n(?=\};)/.exec(law);
  return table && law.replace(table[0], () => `${table[0]}  '${names.context}': { '${names.plural}': [] },\n`);
}

/** Null where the module of the context does more than composing areas. */
function intoContext(text, { Context, Resources, plural }) {
  const wired = [
    [`${Context}Module`, 'imports', `${Resources}Module`],
    [`${Context}Module`, 'exports', `${Resources}Module`],
    [`${Context}HttpModule`, 'imports', `${Resources}HttpModule`],
  ].reduce((all, [module, list, entry]) => all && intoListOf(all, module, list, entry), text);
  return wired && withImport(wired, `${Resources}HttpModule, ${Resources}Module`, `./${plural}/${plural}.module`);
}

/** Adds to a list of a module: one written out in place, or a constant of the file. Once, where two lists are one constant. */
function intoListOf(text, module, list, entry) {
  const decorator = new RegExp(`@Module\\(\\{((?:(?!@Module)[\\s\\S])*?)\\}\\)\\s*export class ${module}\\b`).exec(text)?.[1];
  if (decorator === undefined || (list === 'exports' && decorator.includes('providers:'))) return null;
  const constant = new RegExp(`\\b${list}: ([A-Z][A-Z_]*)\\b`).exec(decorator)?.[1];
  const found = (
    constant ? new RegExp(`(const ${constant}\\b[^=]*= \\[)([^\\]]*?),?\\s*\\]`) : new RegExp(`(\\b${list}: \\[)([^\\]]*?),?\\s*\\]`)
  ).exec(constant ? text : decorator);
  if (!found) return null;
  const [whole, open, present] = found;
  if (new RegExp(`\\b${entry}\\b`).test(present)) return text;
  const filled = `${open}${present.trim() === '' ? '' : `${present}, `}${entry}]`;
  return constant ? text.replace(whole, () => filled) : text.replace(decorator, () => decorator.replace(whole, () => filled));
}

/** Relative imports are in the order of their paths. */
function withImport(text, name, path) {
  const lines = text.split('\n');
  const pathOf = (line) => /^import .* from '(\.[^']+)';$/.exec(line)?.[1];
  const after = lines.findIndex((line) => (pathOf(line) ?? '') > path);
  const last = lines.findLastIndex((line) => line.startsWith('import '));
  lines.splice(after === -1 ? last + 1 : after, 0, `import { ${name} } from '${path}';`);
  return lines.join('\n');
}

function intoApi(text, { Context, context }) {
  const lines = text.split('\n');
  const contexts = /^import .* from '@atrium\/([^/']+)';$/;
  const after = lines.findIndex((line) => (contexts.exec(line)?.[1] ?? '') > context);
  const last = lines.findLastIndex((line) => contexts.test(line));
  lines.splice(after === -1 ? last + 1 : after, 0, `import { ${Context}HttpModule } from '@atrium/${context}';`);
  const composed = lines.findLastIndex((line) => /^ {4}\w+HttpModule,$/.test(line));
  if (composed === -1) return null;
  lines.splice(composed + 1, 0, `    ${Context}HttpModule,`);
  return lines.join('\n');
}

const newModule = ({ Context, Resources, plural }) => `import { Module } from '@nestjs/common';
import { ${Resources}HttpModule, ${Resources}Module } from './${plural}/${plural}.module';

const AREAS = [${Resources}Module];

/** What this context knows and does. */
@Module({ imports: AREAS, exports: AREAS })
export class ${Context}Module {}

/** Its routes. */
@Module({ imports: [${Context}Module, ${Resources}HttpModule] })
export class ${Context}HttpModule {}
`;

const readme = ({ context, noun, nouns, plural, prefix }) => `# ${context}

The purpose of this context, in a sentence.

| word | meaning |
|---|---|
| ${noun} | what it is (\`${prefix}_\`) |

## Areas
- \`${plural}/\`: ${nouns}.

## What holds
- ${nouns.charAt(0).toUpperCase() + nouns.slice(1)} belong to one workspace.

## Events
| out | when | payload |
|---|---|---|
| \`${noun.replaceAll(' ', '_')}.created\` | it was made | \`${prefix}_name\` |
| \`${noun.replaceAll(' ', '_')}.updated\` | fields were changed | \`changed\`: their names |
| \`${noun.replaceAll(' ', '_')}.deleted\` | it was deleted | \`${prefix}_name\` |
`;
