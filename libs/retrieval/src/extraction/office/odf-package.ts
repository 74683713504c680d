import { readXml, type Package, type XmlHandler } from '@atrium/platform/tabular';
import { openOffice, type OfficeFacts } from './office-package';

/** Elements of `meta.xml` that are kept; what the first author is called counts more than who saved last. */
const NAMES: Readonly<Record<string, string>> = {
  title: 'title',
  'initial-creator': 'author',
  creator: 'author',
  subject: 'subject',
  keyword: 'keywords',
  language: 'language',
};
const LONGEST = 1_000;

export const openOdf = openOffice;

/** What an OpenDocument package says of itself. */
export async function odfFacts(pack: Package, what: string): Promise<OfficeFacts> {
  const metadata: Record<string, string> = {};
  let pages: number | null = null;
  let text = '';
  await readPart(
    pack,
    'meta.xml',
    {
      open(element) {
        text = '';
        const count = Number(element.name === 'document-statistic' ? element.attribute('page-count') : undefined);
        if (Number.isSafeInteger(count) && count > 0) pages = count;
      },
      text: (piece) => void (text += piece.slice(0, LONGEST)),
      close(name) {
        const key = NAMES[name];
        const value = text.trim().slice(0, LONGEST);
        if (key !== undefined && value !== '' && (metadata[key] === undefined || name === 'initial-creator')) metadata[key] = value;
        text = '';
      },
    },
    what,
  );
  return { metadata, pages };
}

/** Reads a part of the package, if it is there. */
export async function readPart(pack: Package, part: string, handler: XmlHandler, what: string): Promise<void> {
  if (pack.has(part)) await readXml(await pack.stream(part), handler, what);
}
