import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a file says of itself, in the words of the service, as another program reads it. */
export type ReadFacts = Readonly<Record<string, string | number | readonly string[] | undefined>>;

type Told = Readonly<Record<string, unknown>>;

/** Writes metadata into a file with it. */
export const writeTags = (path: string, tags: readonly string[]): Promise<unknown> =>
  run('exiftool', ['-q', '-q', '-overwrite_original', '-use', 'MWG', ...tags, path]);

/** Reads files with it; where it knows the rules of the Metadata Working Group itself, by those. */
export async function exiftoolFacts(paths: readonly string[]): Promise<readonly ReadFacts[]> {
  const { stdout } = await run('exiftool', ['-j', '-n', '-G1', '-use', 'MWG', '-CurrentIPTCDigest', '-all', '-MWG:all', ...paths], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return (JSON.parse(stdout) as Told[]).map(factsOf);
}

function factsOf(told: Told): ReadFacts {
  const digests = [told['File:CurrentIPTCDigest'], told['Photoshop:IPTCDigest']];
  const isOutOfStep = digests[0] !== undefined && digests[1] !== undefined && digests[0] !== digests[1];
  const either = (xmp: string, iptc: string): unknown => (isOutOfStep ? (told[iptc] ?? told[xmp]) : (told[xmp] ?? told[iptc]));
  const description = (textOf(told['IFD0:ImageDescription']) ?? '').trim();
  const taken = textOf(told['ExifIFD:DateTimeOriginal']);
  return {
    title: textOf(either('XMP-dc:Title', 'IPTC:ObjectName')),
    headline: textOf(either('XMP-photoshop:Headline', 'IPTC:Headline')),
    caption: textOf(
      either('XMP-dc:Description', 'IPTC:Caption-Abstract') ?? (/^(OLYMPUS DIGITAL CAMERA)?$/.test(description) ? undefined : description),
    ),
    keywords: listOf(told['MWG:Keywords']),
    keyword_paths: listOf(told['XMP-lr:HierarchicalSubject'])?.filter((path) => path.includes('|')),
    creators: listOf(either('XMP-dc:Creator', 'IPTC:By-line') ?? textOf(told['IFD0:Artist'])?.split('; ')),
    credit: textOf(either('XMP-photoshop:Credit', 'IPTC:Credit')),
    copyright: textOf(either('XMP-dc:Rights', 'IPTC:CopyrightNotice') ?? told['IFD0:Copyright']),
    usage_terms: textOf(told['XMP-xmpRights:UsageTerms']),
    rating: roundedNumber(told['MWG:Rating'] ?? told['IFD0:Rating'], 1),
    label: textOf(told['XMP-xmp:Label']),
    sublocation: textOf(told['MWG:Location']),
    city: textOf(told['MWG:City']),
    state: textOf(told['MWG:State']),
    country: textOf(told['MWG:Country']),
    country_code: textOf(either('XMP-iptcCore:CountryCode', 'IPTC:Country-PrimaryLocationCode')),
    iso: roundedNumber(told['ExifIFD:ISO'], 0),
    exposure: roundedNumber(told['ExifIFD:ExposureTime'], 7),
    aperture: roundedNumber(told['ExifIFD:FNumber'], 2),
    focal_length: roundedNumber(told['ExifIFD:FocalLength'], 2),
    altitude: roundedNumber(told['Composite:GPSAltitude'], 2),
    lat: roundedNumber(told['Composite:GPSLatitude'], 5),
    lng: roundedNumber(told['Composite:GPSLongitude'], 5),
    taken_local:
      taken &&
      `${taken.slice(0, 10).replaceAll(':', '-')}T${taken.slice(11)}.${(textOf(told['ExifIFD:SubSecTimeOriginal']) ?? '').slice(0, 3).padEnd(3, '0')}`,
    taken_zone: textOf(told['ExifIFD:OffsetTimeOriginal']),
  };
}

/** Numbers that look like it come as numbers. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);

const listOf = (value: unknown): readonly string[] | undefined => (value === undefined ? undefined : [value].flat().map(String));

export const roundedNumber = (value: unknown, decimals: number): number | undefined =>
  typeof value === 'number' ? Number(value.toFixed(decimals)) : undefined;
