// test/durations.json: how long test files take, by which the long ones begin first. `npm test -- durations` rewrites it. And which of
// them take most of the processor.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../project.mjs';

const FILE = join(projectRoot, 'test/durations.json');
/** Shorter ones need no place of their own in the order. */
const SHORTEST = 3;

export function keepDurations(suites) {
  writeFileSync(FILE, `${JSON.stringify(durationsWith(JSON.parse(readFileSync(FILE, 'utf8')), suites), null, 2)}\n`);
}

/** The known durations, in whole seconds by project and path, with those of the suites that passed in the place of the earlier ones. */
export function durationsWith(known, suites, root = projectRoot) {
  const seconds = new Map(Object.entries(known).map(([project, files]) => [project, new Map(Object.entries(files))]));
  for (const { project, name, status, seconds: took } of suites) {
    if (status !== 'passed') continue;
    if (!seconds.has(project)) seconds.set(project, new Map());
    const files = seconds.get(project);
    const path = relative(root, name);
    if (took < SHORTEST) files.delete(path);
    else files.set(path, Math.round(took));
  }
  const sorted = (entries) => Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted([...seconds].map(([project, files]) => [project, sorted(files)]));
}

/** So many files as lines, those that took most of the processor: their own process, without the servers and hosts that they start. */
export const costliest = (suites, count, root = projectRoot) =>
  [...suites]
    .sort((a, b) => b.processorSeconds - a.processorSeconds)
    .slice(0, count)
    .map(({ project, name, seconds, processorSeconds }) => {
      const [processor, whole] = [processorSeconds, seconds].map((value) => `${value.toFixed(1)} s`);
      return `${processor.padStart(8)} of ${whole.padStart(8)}   ${project}: ${relative(root, name)}`;
    });
