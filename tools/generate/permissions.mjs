// Which permissions guard the routes of a new area, out of the closed catalog.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

/** `{ view, edit, remove }` of the named area, or of the first candidate the catalog knows. */
export function policyOf(named, candidates) {
  const catalog = readCatalog();
  const area = named ?? candidates.find((candidate) => catalog.has(candidate));
  const actions = catalog.get(area);
  if (!actions)
    throw new Error(`The permission catalog has no matching area. Set one with --permissions (${[...catalog.keys()].join(', ')}).`);
  const first = (...wanted) => `${area}:${wanted.find((action) => actions.includes(action)) ?? actions.at(-1)}`;
  return { view: first('view'), edit: first('edit', 'create', 'settings'), remove: first('delete', 'edit', 'settings') };
}

function readCatalog() {
  const text = readFileSync(join(projectRoot, 'libs/platform/access/src/permissions.ts'), 'utf8');
  const body = text.slice(text.indexOf('CATALOG = {'), text.indexOf('} as const'));
  return new Map(
    [...body.matchAll(/^ {2}'?([a-z-]+)'?: \[([^\]]*)\]/gm)].map(([, area, actions]) => [
      area,
      [...actions.matchAll(/'([^']+)'/g)].map(([, action]) => action),
    ]),
  );
}
