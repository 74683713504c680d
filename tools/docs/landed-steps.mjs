// The checksums of all migrations, so that a review shows when one is changed that databases have seen already.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

const FOLDER = join(projectRoot, 'migrations');
export const LANDED = 'migrations/landed.sha256';

/** The list with what is new at its end; fails for a step whose text is not the one of the list. */
export function landedSteps() {
  const file = join(projectRoot, LANDED);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const known = new Map(lines.map((line) => line.split('  ').reverse()));
  const steps = readdirSync(FOLDER)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort();
  const changed = [...known.keys()].filter((name) => !steps.includes(name) || checksum(name) !== known.get(name));
  if (changed.length > 0)
    throw new Error(
      `Databases have seen ${changed.join(', ')} as ${LANDED} has it. Put the change into a new step; a step that never left this machine is taken out of the list.`,
    );
  const added = steps.filter((name) => !known.has(name)).map((name) => `${checksum(name)}  ${name}`);
  return [...lines, ...added, ''].join('\n');
}

const checksum = (name) =>
  createHash('sha256')
    .update(readFileSync(join(FOLDER, name)))
    .digest('hex');
