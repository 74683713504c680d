// The checksums of all migrations, so that a review shows when one is changed that databases have seen already.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

export const LANDED = 'migrations/landed.sha256';
/** Lists that begin with this line are compared with each other; what was listed before it is not. */
const FIRST = '# Steps that databases may have seen. A line that was committed is never changed or taken out.';
/** A line that was committed and no database has seen all the same says so: `# never landed: <checksum>  <name>`. */
const NEVER = '# never landed: ';

/**
 * The list with what is new at its end. Fails for a step whose text is not the one of the list, and for a list that lacks a line which
 * it once had, as far as the history of `root` is there.
 */
export function landedSteps(root = projectRoot) {
  const lines = linesOf(existsSync(join(root, LANDED)) ? readFileSync(join(root, LANDED), 'utf8') : '');
  const known = new Map(lines.filter(isStep).map((line) => line.split('  ').reverse()));
  const steps = readdirSync(join(root, 'migrations'))
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort();
  const sums = new Map(
    steps.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(root, 'migrations', name)))
        .digest('hex'),
    ]),
  );
  refuse([...known.keys()].filter((name) => sums.get(name) !== known.get(name)));
  const said = new Set([...lines, ...lines.filter((line) => line.startsWith(NEVER)).map((line) => line.slice(NEVER.length))]);
  refuse(
    everListed(root)
      .filter((line) => !said.has(line))
      .map((line) => line.split('  ')[1]),
  );
  const added = steps.filter((name) => !known.has(name)).map((name) => `${sums.get(name)}  ${name}`);
  return [FIRST, ...lines.filter((line) => line !== FIRST), ...added, ''].join('\n');
}

/** Every line of a step in every list that was committed; nothing where there is no history, or not all of it. */
function everListed(root) {
  const git = (...args) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  let commits;
  try {
    // Of a folder within another project's tree the history is not its own.
    if (git('rev-parse', '--show-prefix').trim() !== '') return [];
    commits = git('log', '--format=%H', '--diff-filter=AM', '--', LANDED).split('\n').filter(Boolean);
  } catch {
    return [];
  }
  const found = new Set();
  for (const commit of commits) {
    let lines;
    try {
      lines = linesOf(git('show', `${commit}:${LANDED}`));
    } catch {
      // Behind the end of a shallow clone.
      continue;
    }
    if (lines[0] === FIRST) for (const line of lines.filter(isStep)) found.add(line);
  }
  return [...found];
}

function refuse(changed) {
  if (changed.length === 0) return;
  throw new Error(
    `Databases have seen ${[...new Set(changed)].join(', ')} as ${LANDED} has or had it. Put the change into a new step. Only a step that no database can have seen is taken out of the list; if its line was committed, with a line "${NEVER}<checksum>  <name>".`,
  );
}

const linesOf = (text) => text.split('\n').filter(Boolean);
const isStep = (line) => !line.startsWith('#');
