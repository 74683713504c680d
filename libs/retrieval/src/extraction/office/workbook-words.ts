import { mainPart, relationshipsOf, type Package, type Relationship } from '@atrium/platform/tabular';
import { SignCounts } from '../text/sign-counts';
import { openOffice, partKey } from './office-package';
import { decodedXml, plainText, sourceWords, TAG } from './source-words';

/** Workbooks whose parts come to more are not counted: each would be kept as a whole. */
const MOST_BYTES = 64 * 1024 * 1024;
const TYPE = /(?:^|\s)t\s*=\s*["'](\w+)["']/;
const ESCAPED = /_x([0-9a-f]{4})_/gi;

/** The words of the cells of a workbook that hold text, and of the boxes on its sheets, by tags alone; undefined where it is too large. */
export async function workbookWords(path: string, what: string, maxBytes: number): Promise<SignCounts | undefined> {
  const pack = await openOffice(path, what, maxBytes);
  try {
    const related = await relatedTo(pack, (await mainPart(pack, what)) ?? '', what);
    const sheets = targets(related, 'worksheet').filter((part) => pack.has(part));
    const shared = targets(related, 'sharedStrings').find((part) => pack.has(part));
    const parts = shared === undefined ? sheets : [shared, ...sheets];
    const boxes = new Set<string>();
    for (const sheet of new Set(sheets)) for (const box of targets(await relatedTo(pack, sheet, what), 'drawing')) boxes.add(partKey(box));
    if ([...parts, ...boxes].reduce((sum, part) => sum + pack.size(part), 0) > MOST_BYTES) return undefined;
    const texts = shared === undefined ? [] : sharedTexts(decodedXml(await pack.bytes(shared, MOST_BYTES)));
    const counts = new SignCounts();
    for (const sheet of sheets) addCells(counts, decodedXml(await pack.bytes(sheet, MOST_BYTES)), texts);
    return await sourceWords(pack, [...boxes], undefined, counts);
  } finally {
    pack.close();
  }
}

const relatedTo = async (pack: Package, part: string, what: string): Promise<Relationship[]> =>
  (await relationshipsOf(pack, part, what)).filter(({ external }) => !external);

const targets = (related: readonly Relationship[], kind: string): string[] =>
  related.filter((each) => each.kind === kind).map(({ target }) => target);

/** Readings beside the words are none of the text. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let pieces: string[] = [];
  let readings = 0;
  for (const [, closes, name = '', attributes = '', text = ''] of xml.matchAll(TAG)) {
    const isEmpty = attributes.endsWith('/');
    if (name === 'si') {
      if (closes === '/' || isEmpty) texts.push(unescaped(pieces.join('')));
      pieces = [];
    } else if (name === 'rPh') readings += closes === '/' ? -1 : isEmpty ? 0 : 1;
    else if (name === 't' && closes === '' && !isEmpty && readings === 0) pieces.push(plainText(text));
  }
  return texts;
}

function addCells(counts: SignCounts, xml: string, shared: readonly string[]): void {
  let type = '';
  let pieces: string[] = [];
  let readings = 0;
  for (const [, closes, name = '', attributes = '', text = ''] of xml.matchAll(TAG)) {
    const isEmpty = attributes.endsWith('/');
    if (name === 'c') {
      if (closes === '/') counts.add(unescaped(pieces.join('')));
      else type = isEmpty ? '' : (TYPE.exec(attributes)?.[1] ?? '');
      pieces = [];
    } else if (closes === '/' || isEmpty) {
      if (name === 'rPh' && !isEmpty) readings--;
    } else if (name === 'rPh') readings++;
    else if (name === 'v' && type === 's') pieces.push(shared[Number(text)] ?? '');
    else if ((name === 'v' && type === 'str') || (name === 't' && type === 'inlineStr' && readings === 0)) pieces.push(plainText(text));
  }
}

const unescaped = (text: string): string => text.replace(ESCAPED, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
