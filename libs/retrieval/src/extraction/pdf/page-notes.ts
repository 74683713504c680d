import type { Frame } from './page-pieces';
import type { TextPiece } from './page-lines';

/** What somebody filled in or wrote on a page, and where: left, bottom, right, top. */
export interface PageNote {
  readonly text: string;
  readonly rect: readonly number[];
  readonly kind: 'value' | 'tick' | 'note';
}

const WIDGET = 'Widget';
/** Flags of what no viewer shows: invisible, hidden, not on the screen. */
const UNSEEN = 1 | 2 | 32;
const MOST_NOTES = 5_000;
const LONGEST = 20_000;

/** What is read of an annotation; all of it may be missing, or be something else. */
type Annotation = Readonly<Record<string, unknown>>;

/** Values of the fields of a form, ticks, and what people noted. What is hidden, and passwords, are left out. */
export function notesOf(annotations: readonly unknown[]): PageNote[] {
  const notes: PageNote[] = [];
  for (const each of annotations.slice(0, MOST_NOTES)) {
    const annotation = each as Annotation;
    const rect = annotation['rect'];
    if (!Array.isArray(rect) || rect.length !== 4 || !rect.every((side) => Number.isFinite(side))) continue;
    if ((Number(annotation['annotationFlags']) & UNSEEN) !== 0 || annotation['hidden'] === true) continue;
    const found = annotation['subtype'] === WIDGET ? valueOf(annotation) : commentOf(annotation);
    if (found && found.text !== '') notes.push({ ...found, text: found.text.slice(0, LONGEST), rect: rect as number[] });
  }
  return notes;
}

function valueOf(field: Annotation): Pick<PageNote, 'text' | 'kind'> | undefined {
  const { fieldType, fieldValue, password, pushButton, exportValue, buttonValue, options } = field;
  if (password === true || pushButton === true) return undefined;
  if (fieldType === 'Btn') {
    const own = buttonValue ?? exportValue;
    const isTicked = typeof fieldValue === 'string' && fieldValue !== 'Off' && (typeof own !== 'string' || own === fieldValue);
    const says = isTicked && /^\p{L}{2,}/u.test(fieldValue) && !/^(?:on|true)$/i.test(fieldValue) ? ` ${fieldValue}` : '';
    return { kind: 'tick', text: isTicked ? `[x]${says}` : '[ ]' };
  }
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return undefined;
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter((value) => typeof value === 'string');
  return { kind: 'value', text: values.map((value) => shownAs(value, options).trim()).join(', ') };
}

/** What a choice is called to people. */
function shownAs(value: string, options: unknown): string {
  const choices = (Array.isArray(options) ? options : []) as readonly Annotation[];
  const shown = choices.find(({ exportValue }) => exportValue === value)?.['displayValue'];
  return typeof shown === 'string' ? shown : value;
}

function commentOf({ subtype, contentsObj, file }: Annotation): Pick<PageNote, 'text' | 'kind'> | undefined {
  if (subtype === 'Link' || subtype === 'Popup') return undefined;
  const words = (contentsObj as Annotation | undefined)?.['str'];
  const text = typeof words === 'string' ? words.trim() : '';
  if (subtype === 'FileAttachment') {
    const name = (file as Annotation | undefined)?.['filename'];
    return { kind: 'note', text: [typeof name === 'string' ? `Attached file: ${name}` : '', text].filter((part) => part !== '').join(' ') };
  }
  return { kind: subtype === 'FreeText' ? 'value' : 'note', text: subtype === 'FreeText' || text === '' ? text : `Note: ${text}` };
}

/** Pieces that notes are compared with; what goes beyond keeps its own place. */
const MOST_COMPARED = 5_000_000;
/** Where nothing is drawn on the line of a note. */
const USUAL_SIZE = 10;
/** From the middle of a line of text to its baseline, in parts of its size. */
const TO_BASELINE = 0.35;
/** Farther than this, what is left of a field is no label of it; in parts of its size. */
const FARTHEST_LABEL = 40;
/** What follows a tick so closely is its label. */
const CLOSE = 2;

/** Values and notes as pieces of text on the line that they are on, each behind its label. */
export function placedTexts(notes: readonly PageNote[], drawn: readonly TextPiece[], frame: Frame): TextPiece[] {
  return notes.flatMap(({ text, rect, kind }, at) => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect;
    const [one, other] = [frame.place(x0, y0), frame.place(x1, y1)];
    const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
    const [bottom, top] = [Math.min(one.y, other.y), Math.max(one.y, other.y)];
    const line = (at + 1) * drawn.length > MOST_COMPARED ? undefined : lineAt(drawn, bottom, top);
    const size = line?.size ?? USUAL_SIZE;
    const isOneLine = !/[\r\n]/.test(text) && (kind !== 'note' || line === undefined);
    if (!isOneLine || !line) {
      return text
        .split(/\r\n?|\n/)
        .map((words, row) => pieceAt(words, { x: left, y: top - (row + 1) * size * 1.2, width: right - left, size }));
    }
    const before = labelBefore(drawn, line.y, left, size);
    const follows = drawn.some((piece) => isOn(piece, line.y) && piece.x >= right - size * 0.5 && piece.x - right <= CLOSE * size);
    if (kind === 'tick' && follows) return [pieceAt(text.slice(0, 3), { x: right - size * 0.9, y: line.y, width: size * 0.5, size })];
    const x = before === undefined ? left : before + size * 0.4;
    return [pieceAt(text, { x, y: line.y, width: Math.max(size, right - x), size })];
  });
}

const pieceAt = (text: string, place: Pick<TextPiece, 'x' | 'y' | 'width' | 'size'>): TextPiece => ({ ...place, text, rightToLeft: false });

const isOn = (piece: TextPiece, y: number): boolean => Math.abs(piece.y - y) <= piece.size * 0.2;

/** The line of text that is nearest to the middle of a field, if there is one at its height. */
function lineAt(drawn: readonly TextPiece[], bottom: number, top: number): TextPiece | undefined {
  const middle = (bottom + top) / 2;
  let best: TextPiece | undefined;
  let nearest = Infinity;
  for (const piece of drawn) {
    const distance = Math.abs(piece.y + piece.size * TO_BASELINE - middle);
    if (distance > Math.max(piece.size * 0.8, (top - bottom) / 2) || distance >= nearest) continue;
    [best, nearest] = [piece, distance];
  }
  return best;
}

/** Where the label on the left of a field ends. */
function labelBefore(drawn: readonly TextPiece[], y: number, left: number, size: number): number | undefined {
  let end: number | undefined;
  for (const piece of drawn) {
    const right = piece.x + piece.width;
    if (!isOn(piece, y) || piece.x >= left || right > left + size || left - right > FARTHEST_LABEL * size) continue;
    end = Math.max(end ?? -Infinity, right);
  }
  return end;
}
