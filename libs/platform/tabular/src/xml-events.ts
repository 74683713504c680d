import { StringDecoder } from 'node:string_decoder';
import { Problem } from '@atrium/platform/kernel';
import { damagedFile, declaresEntities, expandsBeyondLimit } from './problems';

/** Elements inside each other; office programs write a few dozen. */
const DEEPEST = 500;
/** Characters of one text, tag or comment: its parser keeps all of it until it ends. */
const LONGEST_PART = 16 * 1024 * 1024;
const UTF16_LE = 0xff;
const UTF16_BE = 0xfe;

/** An element as it opens: names are local, without the prefix of their namespace. */
export interface XmlElement {
  readonly name: string;
  /** With the prefix of its namespace, as it is written. */
  readonly written: string;
  /** All attributes, as they are written. */
  readonly attributes: Readonly<Record<string, string>>;
  /** An attribute by its local name; one without a prefix comes first. */
  attribute(name: string): string | undefined;
  /** The attribute of this name with a prefix, such as the `r:id` of a relationship. */
  reference(name: string): string | undefined;
}

export interface XmlHandler {
  open?(element: XmlElement): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Reads the XML of an office package as it flows. Document types and entities of its own end it with a problem, so nothing
 * expands and nothing else is opened; what is not well-formed is damaged.
 */
export async function readXml(source: AsyncIterable<Uint8Array>, handler: XmlHandler, what = 'file'): Promise<void> {
  const steps = xmlSteps(source, handler, what);
  while (!(await steps.next()).done);
}

/** As `readXml`, with a pause after each piece of the source: what the handler gathered can be taken on its way. */
export async function* xmlSteps(source: AsyncIterable<Uint8Array>, handler: XmlHandler, what = 'file'): AsyncGenerator<void, void> {
  const parser = await parserFor(handler, what);
  let events = 0;
  let unended = 0;
  try {
    for await (const text of decoded(source)) {
      parser.write(text);
      unended = parser.events === events ? unended + text.length : text.length;
      if (unended > LONGEST_PART) throw expandsBeyondLimit(what);
      events = parser.events;
      yield;
    }
    parser.close();
    yield;
  } catch (cause) {
    throw cause instanceof Problem || (cause instanceof Error && 'syscall' in cause) ? cause : damagedFile(what, cause);
  }
}

interface Parser {
  /** How many parts have ended. */
  readonly events: number;
  write(text: string): unknown;
  close(): unknown;
}

async function parserFor(handler: XmlHandler, what: string): Promise<Parser> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let events = 0;
  parser.on('doctype', () => {
    throw declaresEntities(what);
  });
  parser.on('error', (cause) => {
    throw damagedFile(what, cause);
  });
  parser.on('opentag', ({ name, attributes }) => {
    events++;
    if (++depth > DEEPEST) throw damagedFile(what, 'Its elements are nested too deeply.');
    handler.open?.(new Element(name, attributes));
  });
  parser.on('closetag', ({ name }) => {
    events++;
    depth--;
    handler.close?.(localName(name));
  });
  if (handler.text) {
    const onText = (text: string): void => {
      events++;
      handler.text?.(text);
    };
    parser.on('text', onText);
    parser.on('cdata', onText);
  }
  return {
    get events() {
      return events;
    },
    write: (text) => parser.write(text),
    close: () => parser.close(),
  };
}

/** XML of office packages is UTF-8, or UTF-16 with its mark. */
async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: { write(bytes: Buffer): string; end(): string } | undefined;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    decoder ??= decoderOf(bytes);
    yield decoder.write(bytes);
  }
  if (decoder) yield decoder.end();
}

function decoderOf([first, second]: Buffer): { write(bytes: Buffer): string; end(): string } {
  if (first === UTF16_LE && second === UTF16_BE) return new StringDecoder('utf16le');
  if (first !== UTF16_BE || second !== UTF16_LE) return new StringDecoder('utf8');
  const decoder = new TextDecoder('utf-16be');
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

class Element implements XmlElement {
  readonly name: string;

  constructor(
    readonly written: string,
    readonly attributes: Readonly<Record<string, string>>,
  ) {
    this.name = localName(written);
  }

  attribute(name: string): string | undefined {
    return this.attributes[name] ?? this.reference(name);
  }

  reference(name: string): string | undefined {
    const ending = `:${name}`;
    for (const key in this.attributes) if (key.endsWith(ending)) return this.attributes[key];
    return undefined;
  }
}

const localName = (name: string): string => {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
};
