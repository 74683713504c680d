import type { SignGet } from './object-store';

/** How the bytes are announced to a browser. */
export interface Delivery {
  readonly contentType: string;
  readonly contentDisposition: string;
}

const MEDIA_TYPE = /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*(?:; ?charset=[\w-]+)?$/i;
// Named one by one: a type that is not known to be inert is never shown inside of a page's origin.
const INERT = /^(?:image\/(?!svg)(?!.*xml)|audio\/|video\/|font\/|application\/(?:pdf|json)(?:;|$)|text\/(?:plain|csv|markdown)(?:;|$))/i;

/**
 * Type and disposition of a download, the same for every backend: an unknown or malformed type becomes
 * `application/octet-stream`, and content that could run in a browser (html, svg, xml …) is always an attachment.
 */
export function deliveryOf(get: Pick<SignGet, 'contentType' | 'disposition' | 'downloadName'>): Delivery {
  const contentType = get.contentType && MEDIA_TYPE.test(get.contentType) ? get.contentType : 'application/octet-stream';
  const kind = get.disposition === 'inline' && INERT.test(contentType) ? 'inline' : 'attachment';
  return { contentType, contentDisposition: contentDisposition(kind, get.downloadName) };
}

/** RFC 6266: a plain ASCII name for old clients, and the exact one in the encoding of RFC 5987. */
export function contentDisposition(kind: 'inline' | 'attachment', name?: string): string {
  const wellFormed = Buffer.from(name ?? '', 'utf8').toString('utf8');
  const printable = Array.from(wellFormed)
    .filter((character) => character >= ' ' && character !== '\u007f')
    .join('');
  if (printable === '') return kind;
  const plain = Array.from(printable, (character) => (character > '~' || '"\\%;'.includes(character) ? '_' : character)).join('');
  const exact = encodeURIComponent(printable).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return plain === printable ? `${kind}; filename="${plain}"` : `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
