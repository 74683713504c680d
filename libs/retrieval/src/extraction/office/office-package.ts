import { Package, readXml, type PackageLimits } from '@atrium/platform/tabular';

/** What an office package says of itself: title, author, language, and the pages its program last counted. */
export interface OfficeFacts {
  readonly metadata: Readonly<Record<string, string>>;
  readonly pages: number | null;
}

const NAMES: Readonly<Record<string, string>> = {
  title: 'title',
  creator: 'author',
  subject: 'subject',
  keywords: 'keywords',
  language: 'language',
};
const LONGEST = 1_000;

export const openOffice = (path: string, what: string, maxBytes: PackageLimits['maxBytes']): Promise<Package> =>
  Package.open(path, { what, limits: { maxBytes } });

/** What a part is found by: its names differ in their case and in slashes in front of them. */
export const partKey = (name: string): string => name.replace(/^\/+/, '').toLowerCase();

export async function officeFacts(pack: Package, what: string): Promise<OfficeFacts> {
  const metadata: Record<string, string> = {};
  for (const [name, value] of await textsOf(pack, 'docProps/core.xml', what)) {
    const key = NAMES[name];
    if (key !== undefined && value !== '') metadata[key] = value.slice(0, LONGEST);
  }
  const app = new Map(await textsOf(pack, 'docProps/app.xml', what));
  const pages = Number(app.get('Pages'));
  return { metadata, pages: Number.isSafeInteger(pages) && pages > 0 ? pages : null };
}

/** Elements of a small part that hold text, by their names. */
async function textsOf(pack: Package, part: string, what: string): Promise<[string, string][]> {
  if (!pack.has(part)) return [];
  const texts: [string, string][] = [];
  let text = '';
  await readXml(
    await pack.stream(part),
    {
      open: () => void (text = ''),
      text: (piece) => void (text += piece),
      close: (name) => {
        texts.push([name, text.trim()]);
        text = '';
      },
    },
    what,
  );
  return texts;
}
