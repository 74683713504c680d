import { packageOf } from './package-of';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const SHOW = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>';

const rels = (...each: readonly string[]): string => `<Relationships xmlns="${PACKAGE}">${each.join('')}</Relationships>`;
const rel = (id: string, kind: string, target: string, external = false): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`;

type Figures = Readonly<Record<string, readonly [kind: string, xml: string]>>;

export interface WordParts {
  /** The XML of the body. */
  readonly body: string;
  /** The XML of notes: `<w:footnote w:id="2">…`. */
  readonly footnotes?: string;
  /** Addresses of links, as `rLink1` and so on. */
  readonly links?: readonly string[];
  /** In front of the root of the document. */
  readonly prolog?: string;
  /** The XML of its lists and of further styles, in place of those that it has otherwise. */
  readonly lists?: string;
  readonly styles?: string;
  /** Other documents within it, by their names, as `rChunk1` and so on. */
  readonly chunks?: Readonly<Record<string, string | Buffer>>;
  /** The XML of charts and other figures, and their kinds, by their relationships. */
  readonly figures?: Figures;
}

/** A paragraph of a document: its text, its style, and the properties of a list. */
export const wordParagraph = (
  text: string,
  { style, list }: { style?: string; list?: readonly [id: number, level: number] } = {},
): string =>
  `<w:p><w:pPr>${style ? `<w:pStyle w:val="${style}"/>` : ''}${list ? `<w:numPr><w:ilvl w:val="${list[1]}"/><w:numId w:val="${list[0]}"/></w:numPr>` : ''}</w:pPr>${text.startsWith('<') ? text : `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`}</w:p>`;

/** A small .docx, part by part. List 1 has bullets, list 2 numbers; headings have the styles Heading1 to Heading3. */
export function documentOf({
  body,
  footnotes,
  links = [],
  prolog = '',
  lists: ownLists,
  styles: ownStyles = '',
  chunks = {},
  figures = {},
}: WordParts): Buffer {
  const spaces = `xmlns:w="${WORD}" xmlns:r="${OFFICE}" xmlns:a="${DRAWING}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"`;
  const level = (at: number, format: string): string => `<w:lvl w:ilvl="${at}"><w:numFmt w:val="${format}"/></w:lvl>`;
  const lists = ['bullet', 'decimal'].map(
    (format, at) => `<w:abstractNum w:abstractNumId="${at}">${[0, 1, 2].map((deep) => level(deep, format)).join('')}</w:abstractNum>`,
  );
  const styles = [1, 2, 3].map((n) => `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/></w:style>`);
  return packageOf({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': rels(rel('rId1', 'officeDocument', 'word/document.xml')),
    'word/document.xml': `<?xml version="1.0"?>${prolog}<w:document ${spaces}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': rels(
      rel('rId1', 'styles', 'styles.xml'),
      rel('rId2', 'numbering', 'numbering.xml'),
      ...(footnotes === undefined ? [] : [rel('rId3', 'footnotes', 'footnotes.xml')]),
      rel('rImage', 'image', 'media/image1.png'),
      ...links.map((target, at) => rel(`rLink${at + 1}`, 'hyperlink', target, true)),
      ...Object.keys(chunks).map((name, at) => rel(`rChunk${at + 1}`, 'aFChunk', name)),
      ...Object.entries(figures).map(([id, [kind]]) => rel(id, kind, `figures/${id}.xml`)),
    ),
    ...Object.fromEntries(Object.entries(figures).map(([id, [, xml]]) => [`word/figures/${id}.xml`, xml])),
    ...Object.fromEntries(Object.entries(chunks).map(([name, content]) => [`word/${name}`, content])),
    'word/styles.xml': `<w:styles ${spaces}>${styles.join('')}<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>${ownStyles}</w:styles>`,
    'word/numbering.xml': `<w:numbering ${spaces}>${ownLists ?? `${lists.join('')}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>`}</w:numbering>`,
    'word/media/image1.png': Buffer.from('89504e470d0a1a0a', 'hex'),
    'docProps/core.xml':
      '<c:coreProperties xmlns:c="c" xmlns:dc="d"><dc:title>Yearly report</dc:title><dc:creator>A. Author</dc:creator></c:coreProperties>',
    'docProps/app.xml': '<Properties><Pages>3</Pages></Properties>',
    ...(footnotes === undefined ? {} : { 'word/footnotes.xml': `<w:footnotes ${spaces}>${footnotes}</w:footnotes>` }),
  });
}

export interface SlideParts {
  /** The XML of its shapes. */
  readonly shapes: string;
  readonly notes?: string;
  readonly hidden?: boolean;
  /** The XML of charts and other figures, and their kinds, by their relationships. */
  readonly figures?: Figures;
}

/** A shape: its paragraphs, and the placeholder it fills. */
export const slideShape = (paragraphs: readonly string[], placeholder?: string): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Shape"/><p:nvPr>${placeholder === undefined ? '' : `<p:ph${placeholder === '' ? ' idx="1"' : ` type="${placeholder}"`}/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs
    .map((text) => (text.startsWith('<a:p>') ? text : `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`))
    .join('')}</p:txBody></p:sp>`;

/** A small .pptx, part by part. Slides are stored from the last to the first, so that their order is that of the relationships. */
export function presentationOf(slides: readonly SlideParts[]): Buffer {
  const spaces = `xmlns:p="${SHOW}" xmlns:a="${DRAWING}" xmlns:r="${OFFICE}"`;
  const file = (at: number): string => `slide${slides.length - at}.xml`;
  const parts = slides.flatMap(({ shapes, notes, hidden, figures = {} }, at): [string, string][] => [
    [`ppt/slides/${file(at)}`, `<p:sld ${spaces}${hidden ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`],
    [
      `ppt/slides/_rels/${file(at)}.rels`,
      rels(
        ...(notes === undefined ? [] : [rel('rId1', 'notesSlide', `../notesSlides/notes${at}.xml`)]),
        ...Object.entries(figures).map(([id, [kind]]) => rel(id, kind, `../figures/${id}${at}.xml`)),
      ),
    ],
    ...Object.entries(figures).map(([id, [, xml]]): [string, string] => [`ppt/figures/${id}${at}.xml`, xml]),
    ...(notes === undefined
      ? []
      : ([
          [
            `ppt/notesSlides/notes${at}.xml`,
            `<p:notes ${spaces}><p:cSld><p:spTree>${slideShape(['7'], 'sldNum')}${slideShape([notes], 'body')}</p:spTree></p:cSld></p:notes>`,
          ],
        ] as [string, string][])),
  ]);
  return packageOf({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': rels(rel('rId1', 'officeDocument', 'ppt/presentation.xml')),
    'ppt/presentation.xml': `<p:presentation ${spaces}><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': rels(...slides.map((_, at) => rel(`rId${at + 1}`, 'slide', `slides/${file(at)}`))),
    ...Object.fromEntries(parts.reverse()),
  });
}
