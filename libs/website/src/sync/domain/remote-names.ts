import { createHash } from 'node:crypto';

const LONGEST_KEY = 40;
const LONGEST_TEMPLATE_KEY = 60;
/** Members of every block, and names that no field of a form may have. */
const RESERVED = ['component', '_uid', 'constructor', 'prototype'];
/** What a CMS may name its fields by is read up to here. */
const LONGEST_NAME = 200;

/** `heroImage`, `Hero-Image` and `hero image` as `hero_image`. */
function snakeCase(name: string): string {
  const words = name
    .slice(0, LONGEST_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')
    .split('_')
    .filter((word) => word !== '')
    .join('_');
  return /^[a-z]/.test(words) ? words : `f_${words}`;
}

const isOwnName = (name: string, longest: number): boolean =>
  name.length <= longest && /^[a-z][a-z0-9_]*$/.test(name) && !RESERVED.includes(name);

/** Keys for names of a CMS: unique, the same for the same names, and the name itself wherever it may be a key. */
function keysFor(names: readonly string[], known: ReadonlyMap<string, string>, longest: number): ReadonlyMap<string, string> {
  const keys = new Map(names.flatMap((name) => (known.has(name) ? [[name, known.get(name) ?? ''] as const] : [])));
  const taken = new Set([...keys.values(), ...RESERVED]);
  const give = (name: string, key: string): void => {
    keys.set(name, key);
    taken.add(key);
  };
  for (const name of names) if (!keys.has(name) && isOwnName(name, longest) && !taken.has(name)) give(name, name);
  for (const name of names) {
    if (keys.has(name)) continue;
    const key = snakeCase(name).slice(0, longest);
    const mark = createHash('sha256').update(name).digest('hex').slice(0, 6);
    give(name, taken.has(key) ? `${key.slice(0, longest - 7)}_${mark}` : key);
  }
  return keys;
}

export const fieldKeys = (names: readonly string[], known: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  keysFor(names, known, LONGEST_KEY);
export const templateKeys = (names: readonly string[], known: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  keysFor(names, known, LONGEST_TEMPLATE_KEY);

const UID = /^[A-Za-z0-9_-]{8,64}$/;

/** Identities of blocks: that of the CMS where it may be one here and no other block has it, else one that its place decides. */
export class BlockIdentities {
  private readonly taken = new Set<string>();

  claim(given: unknown, place: string): string {
    const own = typeof given === 'string' && UID.test(given) && !this.taken.has(given) ? given : derived(`${place}:${String(given)}`);
    this.taken.add(own);
    return own;
  }
}

const derived = (from: string): string => `at-${createHash('sha256').update(from).digest('hex').slice(0, 24)}`;
