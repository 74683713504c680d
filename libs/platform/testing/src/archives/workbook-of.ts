import { packageOf } from './package-of';

export interface WorkbookSheet {
  readonly name: string;
  /** The XML of its rows. */
  readonly rows: string;
  /** XML before its rows, such as its columns. */
  readonly before?: string;
  /** XML behind its rows, such as merged cells. */
  readonly after?: string;
  readonly state?: 'hidden' | 'veryHidden';
}

export interface WorkbookParts {
  readonly sheets: readonly WorkbookSheet[];
  readonly sharedTexts?: readonly string[];
  /** Codes of number formats; style n shows the n-th of them, style 0 is plain. */
  readonly formats?: readonly string[];
  readonly from1904?: boolean;
  /** The XML of other parts, by their names. */
  readonly others?: Readonly<Record<string, string>>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const FIRST_OWN_FORMAT = 164;

/** A small .xlsx, part by part. */
export function workbookOf({ sheets, sharedTexts = [], formats = [], from1904 = false, others = {} }: WorkbookParts): Buffer {
  const relationships = [
    ...sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`),
    `<Relationship Id="rIdT" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/>`,
    `<Relationship Id="rIdS" Type="${OFFICE}/styles" Target="/xl/styles.xml"/>`,
  ];
  const names = sheets.map(
    ({ name, state }, at) => `<sheet name="${name}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="rId${at + 1}"/>`,
  );
  // Equal codes are one format that several styles show.
  const codes = [...new Set(formats)];
  const numFmts = codes.map((code, at) => `<numFmt numFmtId="${FIRST_OWN_FORMAT + at}" formatCode="${escaped(code)}"/>`);
  const xfs = ['<xf numFmtId="0"/>', ...formats.map((code) => `<xf numFmtId="${FIRST_OWN_FORMAT + codes.indexOf(code)}"/>`)];
  return packageOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<?xml version="1.0" encoding="UTF-8"?><workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}">${relationships.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${sharedTexts.map((text) => `<si>${text.startsWith('<') ? text : `<t>${text}</t>`}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${numFmts.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows, before = '', after = '' }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${MAIN}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
    ...others,
  });
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
