// npm run gen area <context> <resource>: a thin area in the style of the house, working as it is written.
import '../setup/node-version.mjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say } from '../console/steps.mjs';
import { projectRoot } from '../project.mjs';
import { areaFiles } from './area-files.mjs';
import { namesOf } from './names.mjs';
import { policyOf } from './permissions.mjs';
import { write } from './writing.mjs';
import { wireArea } from './wiring.mjs';

const USAGE = `npm run gen area <context> <resource> [-- options]

Writes an area of the context, libs/<context>/src/<plural>: module, entity, repository, service, controller and dto of a
resource with the fields id, name, description, metadata, active, created and updated. Besides it writes the migration and
an end-to-end test, names the area among those of the context, and puts it into the context's module.
<resource> is a singular in kebab-case, such as prompt-category.

  --prefix P       prefix of its fields: pc gives pc_id, pc_name … (default: the word, or the initials of several)
  --plural WORD    where adding an s is wrong
  --permissions A  area of the permission catalog (default: the resource, else the context)`;

async function main() {
  const { values: options, positionals } = parseArgs({
    options: { prefix: { type: 'string' }, plural: { type: 'string' }, permissions: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [kind, context, resource] = positionals;
  if (options.help || kind !== 'area' || !context || !resource) return say(USAGE);
  const names = namesOf({ context, resource, prefix: options.prefix, plural: options.plural });
  const policy = policyOf(options.permissions, [resource, context]);
  const files = areaFiles(names, policy);
  const present = Object.keys(files).filter((file) => existsSync(join(projectRoot, file)));
  if (present.length > 0) throw new Error(`Already there: ${present.join(', ')}`);
  for (const [file, text] of Object.entries(files)) {
    await write(file, text);
    say(`written: ${file}`);
  }
  for (const remark of await wireArea(names)) say(remark);
  say(`
Next:
  npm run docs                                     the schema, the routes and the reference
  npm test -- test/${names.context}/${names.plural}
If the area is new to the product, give it a sentence in libs/platform/http/src/docs-areas.ts. Name its table where the context
registers with WorkspacePurgers. Delete what the area does not need.`);
}

try {
  await main();
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
