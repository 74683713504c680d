import { folded } from '@atrium/platform/kernel';
import type { IptcRecord } from './iptc-record';
import type { EmbeddedFacts } from './inspection';
import type { PictureNotes } from './picture-notes';
import type { XmpFacts } from './xmp-packet';

/** Characters of the fields: names, lines and texts. */
const NAME = 250;
const LINE = 1_000;
const TEXT = 4_000;
const MOST_CREATORS = 20;
/** As long as a tag may be. */
const KEYWORD = 120;
const PATH = 500;
const MOST_KEYWORDS = 250;
/** Of all keywords together, so that they fit into the metadata of a file. */
const KEYWORD_BYTES = 12_000;

/** What cameras write where people would describe a picture. */
const NO_CAPTION =
  /^(?:olympus digital camera|(?:konica )?minolta digital camera|sony dsc|samsung(?: camera pictures)?|digital ?camera|dcim[\\/].*|exif_jpeg_picture|created by .*|\W*)$/i;

/** Where a field is: names in XMP, the number in the older IPTC block. */
interface Source {
  readonly xmp: string;
  readonly iptc?: number;
}

const TITLE: Source = { xmp: 'dc:title', iptc: 5 };
const HEADLINE: Source = { xmp: 'photoshop:Headline', iptc: 105 };
const CAPTION: Source = { xmp: 'dc:description', iptc: 120 };
const KEYWORDS: Source = { xmp: 'dc:subject', iptc: 25 };
const CREATORS: Source = { xmp: 'dc:creator', iptc: 80 };
const CREDIT: Source = { xmp: 'photoshop:Credit', iptc: 110 };
const COPYRIGHT: Source = { xmp: 'dc:rights', iptc: 116 };
const USAGE_TERMS: Source = { xmp: 'xmpRights:UsageTerms' };
const LABEL: Source = { xmp: 'xmp:Label' };
const SUBLOCATION: Source = { xmp: 'Iptc4xmpCore:Location', iptc: 92 };
const CITY: Source = { xmp: 'photoshop:City', iptc: 90 };
const STATE: Source = { xmp: 'photoshop:State', iptc: 95 };
const COUNTRY: Source = { xmp: 'photoshop:Country', iptc: 101 };
const COUNTRY_CODE: Source = { xmp: 'Iptc4xmpCore:CountryCode', iptc: 100 };

/**
 * What people wrote into a picture. As the Metadata Working Group has it, XMP comes before the older IPTC block, unless
 * that block was changed after XMP was last written for it; what neither says may stand in EXIF.
 */
export function embeddedFacts({ blocks: { ifd0 }, xmp, iptc }: PictureNotes): EmbeddedFacts | undefined {
  const said = (source: Source): readonly string[] => valuesOf(source, xmp, iptc);
  const paths = pathsOf(xmp);
  const keywords = listed(said(KEYWORDS), KEYWORD);
  const facts: EmbeddedFacts = {
    title: one(said(TITLE), NAME),
    headline: one(said(HEADLINE), NAME),
    caption: one(said(CAPTION), TEXT) ?? captionOf(ifd0?.['ImageDescription']),
    keywords: some(
      keywords.length > 0
        ? keywords
        : listed(
            paths.map((path) => path.split('|').at(-1) ?? ''),
            KEYWORD,
          ),
    ),
    keyword_paths: some(paths),
    creators: some(listed(said(CREATORS).length > 0 ? said(CREATORS) : split(ifd0?.['Artist']), NAME).slice(0, MOST_CREATORS)),
    credit: one(said(CREDIT), NAME),
    copyright: one(said(COPYRIGHT), LINE) ?? one([ifd0?.['Copyright']], LINE),
    usage_terms: one(said(USAGE_TERMS), LINE),
    rating: ratingOf(xmp.get('xmp:Rating')?.[0] ?? ifd0?.['Rating']),
    label: one(said(LABEL), NAME),
    sublocation: one(said(SUBLOCATION), NAME),
    city: one(said(CITY), NAME),
    state: one(said(STATE), NAME),
    country: one(said(COUNTRY), NAME),
    country_code: one(said(COUNTRY_CODE), 3)?.toUpperCase(),
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

function valuesOf({ xmp: name, iptc: number }: Source, xmp: XmpFacts, iptc: IptcRecord): readonly string[] {
  const [newer, older] = [xmp.get(name) ?? [], number === undefined ? [] : (iptc.values.get(number) ?? [])];
  const [first, second] = iptc.isInStep === false ? [older, newer] : [newer, older];
  return first.length > 0 ? first : second;
}

/** From the widest word to the narrowest, parted by `|`: as Lightroom writes them, else as digiKam does. */
function pathsOf(xmp: XmpFacts): string[] {
  const written = xmp.get('lr:hierarchicalSubject') ?? xmp.get('digiKam:TagsList')?.map((path) => path.replaceAll('/', '|')) ?? [];
  const tidy = written.map((path) =>
    path
      .split('|')
      .map((word) => tidied(word, KEYWORD))
      .filter((word) => word !== ''),
  );
  return listed(
    tidy.filter((path) => path.length > 1).map((path) => path.join('|')),
    PATH,
  );
}

/** Each once, in any case, as far as there is room. */
function listed(values: readonly unknown[], most: number): string[] {
  const found = new Map<string, string>();
  let room = KEYWORD_BYTES;
  for (const value of values) {
    const text = tidied(value, most);
    if (text === '' || found.has(folded(text))) continue;
    room -= Buffer.byteLength(text);
    if (room < 0 || found.size >= MOST_KEYWORDS) break;
    found.set(folded(text), text);
  }
  return [...found.values()];
}

const some = (values: readonly string[]): readonly string[] | undefined => (values.length > 0 ? values : undefined);

function one([value]: readonly unknown[], most: number): string | undefined {
  const text = most === TEXT || most === LINE ? wordsOf(value, most) : tidied(value, most);
  return text === '' ? undefined : text;
}

function captionOf(value: unknown): string | undefined {
  const text = one([value], TEXT);
  return text === undefined || NO_CAPTION.test(text) ? undefined : text;
}

const split = (value: unknown): string[] => (typeof value === 'string' ? value.split(';') : []);

const tidied = (value: unknown, most: number): string =>
  wordsOf(value, most * 2)
    .replace(/\s+/gu, ' ')
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();

/** Lines stay; what cannot be shown or stored goes. */
function wordsOf(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '');
}

/** Stars from 0 to 5; -1: rejected. */
function ratingOf(value: unknown): number | undefined {
  const stars = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
  return Number.isFinite(stars) && stars >= -1 && stars <= 5 ? Math.round(stars * 10) / 10 : undefined;
}
