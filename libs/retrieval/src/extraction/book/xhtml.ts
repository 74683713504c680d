/** Unambiguous on purpose: a tag that never ends costs no more than its own length. */
const TAG = /<([a-z][^\s/<>]*)(?:[\s/][^<>]*)?>/gi;
/** Elements of HTML that have no end tag. */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr']);
const ENCODING = /^<\?xml[^<>]{0,200}encoding\s{0,9}=\s{0,9}["']([\w-]{2,40})["']/i;
const HEAD = 400;

/** XHTML as HTML: what is written as an empty element (`<title/>`, `<a id="x"/>`) would hold all that follows it. */
export function htmlOfXhtml(bytes: Buffer): string {
  return decodedXml(bytes).replace(TAG, (tag, name: string) =>
    tag.endsWith('/>') && !VOID.has(name.toLowerCase()) ? `${tag.slice(0, -2)}></${name}>` : tag,
  );
}

function decodedXml(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const declared = ENCODING.exec(bytes.toString('latin1', 0, HEAD))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(declared).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
