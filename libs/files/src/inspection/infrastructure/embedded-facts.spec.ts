import {
  drawPicture,
  withIptc,
  xmpPacket,
  type CameraNotes,
  type IptcBlock,
  type PictureFormat,
  type XmpValue,
} from '../../../../platform/testing/src/pictures';
import { embeddedFacts } from './embedded-facts';
import type { EmbeddedFacts } from './inspection';
import { NO_NOTES, pictureNotes } from './picture-notes';
import { xmpFacts } from './xmp-packet';

type Notes = CameraNotes & {
  readonly iptc?: IptcBlock;
  readonly properties?: Readonly<Record<string, XmpValue>>;
  readonly format?: PictureFormat;
};

async function factsOf({ iptc, properties, format = 'jpeg', ...notes }: Notes): Promise<EmbeddedFacts | undefined> {
  const drawn = await drawPicture({ width: 64, height: 48, format, ...notes, ...(properties ? { xmp: xmpPacket(properties) } : {}) });
  return embeddedFacts(await pictureNotes(iptc ? withIptc(drawn, iptc) : drawn, `image/${format}`));
}

const ofXmp = (packet: string): EmbeddedFacts | undefined => embeddedFacts({ ...NO_NOTES, xmp: xmpFacts(packet) });

describe('what people wrote into a picture', () => {
  const properties = {
    'dc:title': { alt: { de: 'Hafen', 'x-default': 'Harbour' } },
    'photoshop:Headline': 'Boats & <nets>',
    'dc:description': { alt: { 'x-default': 'Two lines\nof caption' } },
    'dc:subject': ['Boats', 'boats', 'Evening'],
    'lr:hierarchicalSubject': ['Places|Italy|Arezzo', 'Boats'],
    'dc:creator': ['Ada Field', 'Bo Pier'],
    'photoshop:Credit': 'Field Agency',
    'dc:rights': { alt: { 'x-default': '© Ada Field' } },
    'xmpRights:UsageTerms': { alt: { 'x-default': 'Editorial only' } },
    'xmp:Rating': '4',
    'xmp:Label': 'Select',
    'Iptc4xmpCore:Location': 'Old pier',
    'photoshop:City': 'Arezzo',
    'photoshop:State': 'Tuscany',
    'photoshop:Country': 'Italy',
    'Iptc4xmpCore:CountryCode': 'ITA',
  } as const;
  const facts: EmbeddedFacts = {
    title: 'Harbour',
    headline: 'Boats & <nets>',
    caption: 'Two lines\nof caption',
    keywords: ['Boats', 'Evening'],
    keyword_paths: ['Places|Italy|Arezzo'],
    creators: ['Ada Field', 'Bo Pier'],
    credit: 'Field Agency',
    copyright: '© Ada Field',
    usage_terms: 'Editorial only',
    rating: 4,
    label: 'Select',
    sublocation: 'Old pier',
    city: 'Arezzo',
    state: 'Tuscany',
    country: 'Italy',
    country_code: 'ITA',
  };

  it.each(['jpeg', 'png', 'webp', 'tiff', 'avif'] as const)('is read from the XMP of a picture of type %s', async (format) => {
    expect(await factsOf({ format, properties })).toEqual(facts);
  });

  it('is read from the older IPTC block', async () => {
    const values: IptcBlock['values'] = [
      [5, 'Harbour'],
      [105, 'Nets'],
      [120, 'A caption'],
      [25, 'Boats'],
      [25, 'Evening'],
      [80, 'Ada Field'],
      [110, 'Agency'],
      [116, '© Ada'],
      [92, 'Pier'],
      [90, 'Arezzo'],
      [95, 'Tuscany'],
      [101, 'Italy'],
      [100, 'ITA'],
    ];
    expect(await factsOf({ iptc: { values } })).toEqual({
      title: 'Harbour',
      headline: 'Nets',
      caption: 'A caption',
      keywords: ['Boats', 'Evening'],
      creators: ['Ada Field'],
      credit: 'Agency',
      copyright: '© Ada',
      sublocation: 'Pier',
      city: 'Arezzo',
      state: 'Tuscany',
      country: 'Italy',
      country_code: 'ITA',
    });
  });

  it.each(['utf8', 'latin1', 'undeclared'] as const)('keeps letters that ASCII lacks, written as %s', async (encoding) => {
    expect(
      await factsOf({
        iptc: {
          encoding,
          values: [
            [90, 'Zürich'],
            [25, 'Straße'],
          ],
        },
      }),
    ).toEqual({ city: 'Zürich', keywords: ['Straße'] });
  });

  it.each<[string, IptcBlock['digest'], string]>([
    ['XMP where nothing says which is newer', undefined, 'Arezzo'],
    ['XMP while the block is the one it was written for', 'same', 'Arezzo'],
    ['the block once it was changed after XMP', 'other', 'Siena'],
  ])('is %s', async (_, digest, city) => {
    const found = await factsOf({
      properties: { 'photoshop:City': 'Arezzo', 'xmp:Label': 'Red' },
      iptc: {
        digest,
        values: [
          [90, 'Siena'],
          [101, 'Italy'],
        ],
      },
    });
    expect(found).toEqual({ city, country: 'Italy', label: 'Red' });
  });

  it('is in EXIF where neither says it, but not what cameras write there', async () => {
    expect(await factsOf({ artist: 'Ada Field; Bo Pier', description: 'The old pier' })).toEqual({
      creators: ['Ada Field', 'Bo Pier'],
      caption: 'The old pier',
    });
    expect(await factsOf({ description: 'OLYMPUS DIGITAL CAMERA' })).toBeUndefined();
  });

  it('takes the last word of paths where there are no plain keywords', () => {
    expect(ofXmp(xmpPacket({ 'digiKam:TagsList': ['Places/Italy/Arezzo', 'People/Ada'] }))).toEqual({
      keywords: ['Arezzo', 'Ada'],
      keyword_paths: ['Places|Italy|Arezzo', 'People|Ada'],
    });
  });

  it('is not what cannot be shown, stored or meant', () => {
    expect(ofXmp(xmpPacket({ 'dc:title': 'a\u202eb  c', 'xmp:Rating': '99', 'photoshop:City': ' ', 'dc:subject': ['', ' '] }))).toEqual({
      title: 'a b c',
    });
    expect(ofXmp(xmpPacket({ 'xmp:Rating': '-1' }))).toEqual({ rating: -1 });
  });
});

describe('a hostile packet', () => {
  const packet = (inside: string, before = ''): string =>
    `${before}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"><rdf:Description>${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`;

  it('has no entities: neither a bomb nor a file of the server is put in their place', () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>';
    expect(
      ofXmp(packet('<photoshop:City>Arezzo</photoshop:City><dc:title>&b;</dc:title><photoshop:Country>&f;</photoshop:Country>', bomb)),
    ).toEqual({ city: 'Arezzo' });
    expect(ofXmp(packet(`<photoshop:City>Arezzo</photoshop:City>${bomb}<dc:title>&b;</dc:title>`))).toEqual({ city: 'Arezzo' });
  });

  it('of a hundred thousand keywords is cut to those that a file can bear', () => {
    const found = ofXmp(
      packet(
        `<dc:subject><rdf:Bag>${Array.from({ length: 100_000 }, (_, at) => `<rdf:li>word ${at}</rdf:li>`).join('')}</rdf:Bag></dc:subject>`,
      ),
    );
    expect(found?.keywords).toHaveLength(250);
    const long = ofXmp(
      packet(
        `<dc:subject><rdf:Bag>${Array.from({ length: 500 }, (_, at) => `<rdf:li>${at} ${'ü'.repeat(500)}</rdf:li>`).join('')}</rdf:Bag></dc:subject>`,
      ),
    );
    expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(13_000);
  });

  it('of ten megabytes is read as far as two', () => {
    expect(
      ofXmp(
        packet(
          `<photoshop:City>Arezzo</photoshop:City><dc:description>${'x'.repeat(10_000_000)}</dc:description><dc:title>Late</dc:title>`,
        ),
      ),
    ).toEqual({ city: 'Arezzo' });
    const caption = ofXmp(packet(`<dc:description>${'x'.repeat(1_000_000)}</dc:description><dc:title>In time</dc:title>`));
    expect(caption).toEqual({ title: 'In time', caption: 'x'.repeat(4_000) });
  });

  it.each([
    ['nests without end', '<a>'.repeat(200_000)],
    ['breaks off', '<dc:title>Har'],
    ['is no XML', '<<<>>>&&&'],
    ['has an attribute without end', `<dc:title x="${'y'.repeat(1_000_000)}`],
  ])('that %s loses what follows it', (_, inside) => {
    expect(ofXmp(packet(`<photoshop:City>Arezzo</photoshop:City>${inside}`))).toEqual({ city: 'Arezzo' });
  });
});
