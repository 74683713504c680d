import { posix } from 'node:path';
import type { Package } from './package';
import { tooMany } from './problems';
import { readXml } from './xml-events';

/** What a part of an office package refers to: another part by its name, or an address outside. */
export interface Relationship {
  readonly id: string;
  /** The last word of its type: `slide`, `worksheet`, `notesSlide`. */
  readonly kind: string;
  /** The name of a part, or an address as it is written. */
  readonly target: string;
  readonly external: boolean;
}

/** Slides, pictures, links of a part: more than any that people made. */
const MOST_RELATIONSHIPS = 100_000;

/** The relationships of a part; of the package itself for ''. They are in the order of the file. */
export async function relationshipsOf(pack: Package, part: string, what = 'file'): Promise<Relationship[]> {
  const folder = posix.dirname(part);
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!pack.has(name)) return [];
  const found: Relationship[] = [];
  await readXml(
    await pack.stream(name),
    {
      open(element) {
        if (element.name !== 'Relationship') return;
        if (found.length === MOST_RELATIONSHIPS) throw tooMany(what, MOST_RELATIONSHIPS, 'relationships of one part');
        const external = element.attribute('TargetMode') === 'External';
        const target = element.attribute('Target') ?? '';
        found.push({
          id: element.attribute('Id') ?? '',
          kind: (element.attribute('Type') ?? '').replace(/^.*\//, ''),
          target: external ? target : partName(folder, target),
          external,
        });
      },
    },
    what,
  );
  return found;
}

/** The part an office document begins with: its `officeDocument`. */
export async function mainPart(pack: Package, what = 'file'): Promise<string | undefined> {
  const relationships = await relationshipsOf(pack, '', what);
  return relationships.find(({ kind, external }) => kind === 'officeDocument' && !external)?.target;
}

const partName = (folder: string, target: string): string =>
  posix.normalize(target.startsWith('/') ? target.slice(1) : posix.join(folder, decoded(target)));

function decoded(target: string): string {
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
}
