/** A property of a packet: a text, a list, or `{alt}`, texts by their languages. */
export type XmpValue = string | readonly string[] | { readonly alt: Readonly<Record<string, string>> };

const NAMESPACES: Readonly<Record<string, string>> = {
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  xmpRights: 'http://ns.adobe.com/xap/1.0/rights/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  Iptc4xmpCore: 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/',
  lr: 'http://ns.adobe.com/lightroom/1.0/',
  digiKam: 'http://www.digikam.org/ns/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An XMP packet with these properties, as `dc:title`. */
export function xmpPacket(properties: Readonly<Record<string, XmpValue>>): string {
  const spaces = Object.entries(NAMESPACES)
    .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
    .join('');
  const written = Object.entries(properties)
    .map(([name, value]) => `<${name}>${inner(value)}</${name}>`)
    .join('');
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""${spaces}>${written}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
}

function inner(value: XmpValue): string {
  if (typeof value === 'string') return escaped(value);
  if ('alt' in value)
    return `<rdf:Alt>${Object.entries(value.alt)
      .map(([language, text]) => `<rdf:li xml:lang="${language}">${escaped(text)}</rdf:li>`)
      .join('')}</rdf:Alt>`;
  return `<rdf:Bag>${value.map((text) => `<rdf:li>${escaped(text)}</rdf:li>`).join('')}</rdf:Bag>`;
}
