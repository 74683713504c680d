import { packageOf } from './package-of';

const SPACES =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"';

export interface OpenDocumentParts {
  readonly kind: 'text' | 'spreadsheet' | 'presentation' | 'graphics';
  /** The XML of the body. */
  readonly body: string;
  /** The XML of automatic styles. */
  readonly styles?: string;
  /** The XML of the styles of the document. */
  readonly office?: string;
  /** In front of the root of the content. */
  readonly prolog?: string;
  /** What the manifest says of the content. */
  readonly manifest?: string;
}

/** A small OpenDocument file, part by part. */
export function openDocumentOf({ kind, body, styles = '', office = '', prolog = '', manifest = '' }: OpenDocumentParts): Buffer {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  const element = kind === 'graphics' ? 'drawing' : kind;
  return packageOf({
    mimetype: type,
    'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry manifest:full-path="content.xml">${manifest}</manifest:file-entry></manifest:manifest>`,
    'content.xml': `<?xml version="1.0"?>${prolog}<office:document-content ${SPACES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${element}>${body}</office:${element}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${SPACES}><office:styles>${office}</office:styles></office:document-styles>`,
    'meta.xml': `<office:document-meta ${SPACES}><office:meta><dc:title>Yearly report</dc:title><meta:initial-creator>A. Author</meta:initial-creator><dc:creator>B. Saver</dc:creator><dc:language>en-GB</dc:language><meta:document-statistic meta:page-count="3"/></office:meta></office:document-meta>`,
  });
}
