// Puts a new area into the module of its context, and a new context into the API.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

/** Answers a line for each file changed, or what is left to do by hand where a file is not of the usual shape. */
export function wireArea(names) {
  assertEdges(names.context);
  const modulePath = `libs/${names.context}/src/${names.context}.module.ts`;
  if (existsSync(join(projectRoot, modulePath))) return [change(modulePath, (text) => intoModule(text, names), partsFor(names))];
  write(modulePath, newModule(names));
  write(
    `libs/${names.context}/src/index.ts`,
    `export { ${names.Context}HttpModule, ${names.Context}Module } from './${names.context}.module';\n`,
  );
  write(`libs/${names.context}/README.md`, readme(names));
  return [
    `written: ${modulePath}, its index.ts and README.md`,
    change('apps/api/src/api.module.ts', (text) => intoApi(text, names), `${names.Context}HttpModule into the imports of the API`),
  ];
}

function assertEdges(context) {
  const law = readFileSync(join(projectRoot, '.dependency-cruiser.cjs'), 'utf8');
  if (!new RegExp(`[{ ]'?${context}'?: \\[`).test(law))
    throw new Error(`.dependency-cruiser.cjs does not list the context ${context}. Add it with its edges first.`);
}

function change(path, alter, otherwise) {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  const altered = alter(text);
  if (!altered) return `by hand, in ${path}: ${otherwise}`;
  write(path, altered);
  return `changed: ${path}`;
}

const write = (path, text) => writeFileSync(join(projectRoot, path), text);
const partsFor = ({ Resources }) =>
  `${Resources}Service and ${Resources}Repository into the providers, the service into the exports, ${Resources}Controller into the controllers`;

function intoModule(text, { Resources, plural }) {
  const imports = [
    [`${Resources}Service`, `./application/${plural}.service`],
    [`${Resources}Controller`, `./http/${plural}.controller`],
    [`${Resources}Repository`, `./infrastructure/${plural}.repository`],
  ];
  const withProviders = intoList(text, 'providers', [`${Resources}Service`, `${Resources}Repository`]);
  const withExports = withProviders && intoList(withProviders, 'exports', [`${Resources}Service`]);
  const withControllers =
    withExports && (intoList(withExports, 'controllers', [`${Resources}Controller`]) ?? intoHttpModule(withExports, Resources));
  return withControllers && imports.reduce((all, [name, path]) => withImport(all, name, path), withControllers);
}

/** Adds to the first list of that name which is written out in place. */
function intoList(text, list, entries) {
  const found = new RegExp(`(${list}: \\[)([^\\]]*?)(,?\\s*)\\]`).exec(text);
  if (!found) return null;
  const [whole, open, present, tail] = found;
  const separator = tail.includes('\n') ? `,${/\n\s+/.exec(present)?.[0] ?? ' '}` : ', ';
  const all = [...(present.trim() === '' ? [] : [present]), ...entries].join(separator);
  return text.replace(whole, `${open}${all}${tail}]`);
}

const intoHttpModule = (text, Resources) =>
  /@Module\(\{ imports: \[\w+\](?=[^)]*\)\s*export class \w+HttpModule)/.test(text)
    ? text.replace(/(@Module\(\{ imports: \[\w+\])(?=[^)]*\)\s*export class \w+HttpModule)/, `$1, controllers: [${Resources}Controller]`)
    : null;

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
  return intoList(lines.join('\n'), 'imports', [`${Context}HttpModule`]);
}

const newModule = ({ Context, Resources, plural }) => `import { Module } from '@nestjs/common';
import { ${Resources}Service } from './application/${plural}.service';
import { ${Resources}Controller } from './http/${plural}.controller';
import { ${Resources}Repository } from './infrastructure/${plural}.repository';

/** What this context knows and does. */
@Module({ providers: [${Resources}Service, ${Resources}Repository], exports: [${Resources}Service] })
export class ${Context}Module {}

/** The routes of this context. */
@Module({ imports: [${Context}Module], controllers: [${Resources}Controller] })
export class ${Context}HttpModule {}
`;

const readme = ({ context, noun, nouns, prefix }) => `# ${context}

What this context is for, in a sentence.

| word | meaning |
|---|---|
| ${noun} | what it is (\`${prefix}_\`) |

## What holds
- ${nouns.charAt(0).toUpperCase() + nouns.slice(1)} belong to one workspace.

## Events
| out | when | payload |
|---|---|---|
| \`${noun.replaceAll(' ', '_')}.created\` | it was made | \`${prefix}_name\` |
| \`${noun.replaceAll(' ', '_')}.updated\` | fields were changed | \`changed\`: their names |
| \`${noun.replaceAll(' ', '_')}.deleted\` | it was deleted | \`${prefix}_name\` |
`;
