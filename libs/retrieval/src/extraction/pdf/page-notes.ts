import type { Frame } from './page-frame';
import type { TextPiece } from './text-piece';

/** What somebody filled in or wrote on a page, and where: left, bottom, right, top. */
export interface PageNote {
  readonly text: string;
  readonly rect: readonly number[];
  /** The value of a field, a tick, what was written onto the page, or a comment on it. */
  readonly kind: 'value' | 'tick' | 'written' | 'comment';
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
    return {
      kind: 'comment',
      text: [typeof name === 'string' ? `Attached file: ${name}` : '', text].filter((part) => part !== '').join(' '),
    };
  }
  if (subtype === 'FreeText') return { kind: 'written', text };
  return { kind: 'comment', text: text === '' ? '' : `Note: ${text}` };
}

/** Pieces that notes are compared with; what goes beyond keeps its own place. */
const MOST_COMPARED = 5_000_000;
/** Where nothing is drawn on the line of a note. */
const USUAL_SIZE = 10;
/** From the middle of a line of text to its baseline, in parts of its size. */
const TO_BASELINE = 0.35;
/** Farther than this, what is left of a field is no label of it; in parts of its size. */
const FARTHEST_LABEL = 40;
const LONGEST_LABEL = 24;
const MOST_ON_LINE = 1_000;
/** What follows a tick so closely is its label. */
const CLOSE = 2;

interface PlacedNotes {
  /** On the lines of the page, each behind its label. */
  readonly pieces: readonly TextPiece[];
  /** What would stand in the middle of a sentence: each apart from the page. */
  readonly apart: readonly (readonly TextPiece[])[];
}

/** Where values and notes are read. */
export function placedNotes(notes: readonly PageNote[], drawn: readonly TextPiece[], frame: Frame): PlacedNotes {
  const pieces: TextPiece[] = [];
  const apart: TextPiece[][] = [];
  for (const [at, note] of notes.entries()) {
    const box = boxOf(note.rect, frame);
    const row = note.kind === 'comment' || (at + 1) * drawn.length > MOST_COMPARED ? [] : rowAt(drawn, box);
    const [first] = row;
    if (note.kind === 'comment') apart.push(linesAt(note.text, box));
    else if (!first || (note.kind === 'value' && /[\r\n]/.test(note.text))) pieces.push(...linesAt(note.text, box, first?.size));
    else if (note.kind === 'written' && !isLabel(row, box)) apart.push(linesAt(note.text, box));
    else pieces.push(onLine(note, box, row, first));
  }
  return { pieces, apart };
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

function boxOf([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[], frame: Frame): Box {
  const [one, other] = [frame.place(x0, y0), frame.place(x1, y1)];
  const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
  return { left, right, bottom: Math.min(one.y, other.y), top: Math.max(one.y, other.y) };
}

const linesAt = (text: string, { left, right, top }: Box, size = USUAL_SIZE): TextPiece[] =>
  text.split(/\r\n?|\n/).map((words, row) => pieceAt(words, { x: left, y: top - (row + 1) * size * 1.2, width: right - left, size }));

/** Behind its label, or in front of it as the boxes of a list of ticks are. */
function onLine({ text, kind }: PageNote, { left, right }: Box, row: readonly TextPiece[], { y, size }: TextPiece): TextPiece {
  const follows = row.some(({ x }) => x >= right - size * 0.5 && x - right <= CLOSE * size);
  if (kind === 'tick' && follows) return pieceAt(text.slice(0, 3), { x: right - size * 0.9, y, width: size * 0.5, size });
  const label = row.flatMap((piece) => {
    const end = piece.x + piece.width;
    return piece.x < left && end <= left + size && left - end <= FARTHEST_LABEL * size ? [end] : [];
  });
  const x = label.length === 0 ? left : Math.max(...label.slice(0, MOST_ON_LINE)) + size * 0.4;
  return pieceAt(text, { x, y, width: Math.max(size, right - x), size });
}

/** A few words in front of the box, which end as a label does, and none behind it. */
function isLabel(row: readonly TextPiece[], { left }: Box): boolean {
  const text = [...row].sort((one, other) => one.x - other.x).map((piece) => piece.text.trim());
  return row.every(({ x }) => x < left) && (text.join(' ').length <= LONGEST_LABEL || /[:_.…?]$/.test(text.at(-1) ?? ''));
}

const pieceAt = (text: string, place: Pick<TextPiece, 'x' | 'y' | 'width' | 'size'>): TextPiece => ({ ...place, text, rightToLeft: false });

const isOn = (piece: TextPiece, y: number): boolean => Math.abs(piece.y - y) <= piece.size * 0.2;

/** The pieces of the line that is nearest to the middle of a box, if there is one at its height; the nearest piece is the first. */
function rowAt(drawn: readonly TextPiece[], { bottom, top }: Box): TextPiece[] {
  const middle = (bottom + top) / 2;
  let best: TextPiece | undefined;
  let nearest = Infinity;
  for (const piece of drawn) {
    const distance = Math.abs(piece.y + piece.size * TO_BASELINE - middle);
    if (distance > Math.max(piece.size * 0.8, (top - bottom) / 2) || distance >= nearest) continue;
    [best, nearest] = [piece, distance];
  }
  return best ? [best, ...drawn.filter((piece) => piece !== best && isOn(piece, best.y))] : [];
}
