import { saveAs } from './file-kind';

/** Documents that office programs write as one file of XML, by what is at its beginning. */
const OF_OFFICE: readonly (readonly [mark: RegExp, reason: string])[] = [
  [
    /progid="Excel\.Sheet"|<(?:ss:)?Workbook\s[^<>]*urn:schemas-microsoft-com:office:spreadsheet/,
    saveAs('Excel 2003 XML spreadsheets', '.xlsx'),
  ],
  [/progid="Word\.Document"|<w:wordDocument\s|<pkg:package\s/, saveAs('Word XML documents', '.docx')],
  [/<office:document\s[^<>]*opendocument\.text/, saveAs('Flat OpenDocument text documents (.fodt)', '.odt')],
  [/<office:document\s[^<>]*opendocument\.spreadsheet/, saveAs('Flat OpenDocument spreadsheets (.fods)', '.ods')],
  [/<office:document\s[^<>]*opendocument\.(?:presentation|graphics)/, saveAs('Flat OpenDocument presentations and drawings', '.odp')],
  // What kind it is may be said further on.
  [/<office:document\s/, saveAs('Flat OpenDocument files', '.odt, .ods or .odp')],
];

/** Why a text that is a document of an office program is not read; `undefined` for any other. */
export function reasonOfMarkup(head: Buffer): string | undefined {
  const text = head.toString('latin1').replaceAll('\0', '');
  if (!/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s{0,100}<\?xml\s/.test(text)) return undefined;
  return OF_OFFICE.find(([mark]) => mark.test(text))?.[1];
}
