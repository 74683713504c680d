import { parser, type Parser, type QualifiedTag } from 'sax';

/** The values of properties by their usual names, such as `dc:title`. */
export type XmpFacts = ReadonlyMap<string, readonly string[]>;

/** Of a packet, so much is read. */
const MOST_BYTES = 2 * 1024 * 1024;
const PIECE = 64 * 1024;
const MOST_LEVELS = 40;
const MOST_VALUES = 500;
const MOST_CHARACTERS = 8_000;

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const CONTAINERS: ReadonlySet<string> = new Set(['Alt', 'Bag', 'Seq']);
/** By their names, since what a packet calls a namespace is its own affair. */
const PREFIXES: Readonly<Record<string, string>> = {
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://ns.adobe.com/xap/1.0/': 'xmp',
  'http://ns.adobe.com/xap/1.0/rights/': 'xmpRights',
  'http://ns.adobe.com/photoshop/1.0/': 'photoshop',
  'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/': 'Iptc4xmpCore',
  'http://ns.adobe.com/lightroom/1.0/': 'lr',
  'http://www.digikam.org/ns/1.0/': 'digiKam',
  'http://ns.adobe.com/exif/1.0/': 'exif',
  'http://cipa.jp/exif/1.0/': 'exifEX',
  'http://ns.adobe.com/exif/1.0/aux/': 'aux',
  'http://ns.adobe.com/tiff/1.0/': 'tiff',
};

/** The packet has what no packet needs, or enough was read. */
class Stopped extends Error {}

/**
 * Reads the properties of an XMP packet: texts, lists and alternatives of languages, the default one first. Entities are
 * not expanded, a document type ends the reading, and a fault loses only what follows it.
 */
export function xmpFacts(packet: Buffer | string | undefined): XmpFacts {
  const properties = new PropertyReader();
  if (packet === undefined) return properties.found;
  const text = (typeof packet === 'string' ? packet : decoded(packet.subarray(0, MOST_BYTES))).slice(0, MOST_BYTES);
  const start = text.search(/<(?:[\w.-]+:)?(?:xmpmeta|RDF)[\s>]/);
  try {
    const reader = properties.attach(parser(true, { xmlns: true, strictEntities: true, position: false }));
    if (start >= 0) for (let at = start; at < text.length; at += PIECE) reader.write(text.slice(at, at + PIECE));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return properties.found;
}

function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

interface Level {
  readonly is: 'outer' | 'rdf' | 'description' | 'property' | 'container' | 'item' | 'ignored';
  readonly name: string;
  /** The language of an alternative is the default one. */
  readonly isDefault: boolean;
  text: string;
}

/** Keeps track of where in the packet the reader is. */
class PropertyReader {
  readonly found = new Map<string, string[]>();
  private readonly levels: Level[] = [];

  attach(reader: Parser<QualifiedTag>): Parser<QualifiedTag> {
    return Object.assign(reader, {
      onopentag: (tag: QualifiedTag) => this.open(tag),
      onclosetag: () => this.close(),
      ontext: (text: string) => this.say(text),
      oncdata: (text: string) => this.say(text),
      ondoctype: stop,
      onerror: stop,
    });
  }

  private open(tag: QualifiedTag): void {
    if (this.levels.length >= MOST_LEVELS) stop();
    const level = this.levelOf(tag, this.levels.at(-1));
    this.levels.push(level);
    if (level.is === 'description') for (const { uri, local, value } of Object.values(tag.attributes)) this.keep(nameOf(uri, local), value);
  }

  private levelOf({ uri, local, attributes }: QualifiedTag, above: Level | undefined): Level {
    const level = (is: Level['is'], name = ''): Level => ({
      is,
      name,
      isDefault: Object.values(attributes).some((one) => one.local === 'lang' && one.value === 'x-default'),
      text: '',
    });
    switch (above?.is) {
      case undefined:
      case 'outer':
        return level(uri === RDF && local === 'RDF' ? 'rdf' : 'outer');
      case 'rdf':
        return level(uri === RDF && local === 'Description' ? 'description' : 'ignored');
      case 'description':
        return level('property', nameOf(uri, local));
      case 'property':
        return uri === RDF && CONTAINERS.has(local) ? level('container', above.name) : level('ignored');
      case 'container':
        return uri === RDF && local === 'li' ? level('item', above.name) : level('ignored');
      default:
        return level('ignored');
    }
  }

  private say(text: string): void {
    const level = this.levels.at(-1);
    if ((level?.is === 'property' || level?.is === 'item') && level.name !== '' && level.text.length < MOST_CHARACTERS) level.text += text;
  }

  private close(): void {
    const level = this.levels.pop();
    if (level?.is === 'property' || level?.is === 'item') this.keep(level.name, level.text, level.isDefault);
  }

  private keep(name: string, value: string, first = false): void {
    const text = value.slice(0, MOST_CHARACTERS).trim();
    if (name === '' || text === '') return;
    const values = this.found.get(name) ?? [];
    if (values.length >= MOST_VALUES) return;
    if (first) values.unshift(text);
    else values.push(text);
    this.found.set(name, values);
  }
}

function stop(): never {
  throw new Stopped();
}

const nameOf = (uri: string, local: string): string => (PREFIXES[uri] === undefined ? '' : `${PREFIXES[uri]}:${local}`);
