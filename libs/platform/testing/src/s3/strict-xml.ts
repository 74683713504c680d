type XmlValue = string | number | boolean | undefined | XmlFields | readonly XmlFields[];
interface XmlFields {
  readonly [name: string]: XmlValue;
}

/** An S3 answer: fields become elements, lists become repeated elements. */
export function xml(root: string, fields: XmlFields): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, fields)}`;
}

/** The child elements of every element of that name, in a document as small as S3's requests are. */
export function xmlPairs(document: string, name: string): Record<string, string>[] {
  const blocks = document.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'));
  return Array.from(blocks, ([, block = '']) =>
    Object.fromEntries(Array.from(block.matchAll(/<(\w+)>([^<]*)<\/\1>/g), ([, field, value]) => [field, value])),
  );
}

function element(name: string, value: XmlValue): string {
  if (isList(value)) return value.map((item) => element(name, item)).join('');
  if (value === undefined) return '';
  const inner =
    typeof value === 'object'
      ? Object.entries(value)
          .map(([field, content]) => element(field, content))
          .join('')
      : escape(String(value));
  return `<${name}>${inner}</${name}>`;
}

const isList = (value: XmlValue): value is readonly XmlFields[] => Array.isArray(value);
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
