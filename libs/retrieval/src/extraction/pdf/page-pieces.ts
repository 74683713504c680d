import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { isLegible, type FontSigns } from './font-signs';
import type { PageLines } from './page-of-lines';
import type { Frame } from './page-frame';
import { placedNotes, type PageNote } from './page-notes';
import { linesOf } from './page-lines';
import type { TextPiece } from './text-piece';
import { withRaisedSigns } from './raised-signs';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
export type TextItem = Extract<TextContent['items'][number], { readonly str: string }>;

/** Whether a line of text runs in one of the four directions of the page, in degrees. */
const ALMOST = 10;
const SLANT_STEP = 5;

/** A piece of text and the direction in which it is read: degrees from left to right, against the clock. */
interface DrawnPiece extends TextPiece {
  readonly angle: number;
  readonly font: string;
}

/** What a page draws, before it is put in lines. */
export interface DrawnPage {
  readonly page: number;
  readonly view: readonly number[];
  /** Degrees by which a viewer turns the page, with the clock. */
  readonly rotate: number;
  readonly pieces: readonly DrawnPiece[];
  readonly notes: readonly PageNote[];
}

export function pieceOf(item: TextItem, isVertical: boolean): DrawnPiece | undefined {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform as number[];
  const size = Math.hypot(c, d);
  if (!(size > 0)) return undefined;
  const slope = a === 0 && b === 0 ? Math.atan2(-c, d) : Math.atan2(b, a);
  const angle = directionOf((slope * 180) / Math.PI + (isVertical ? 270 : 0));
  const width = isVertical ? item.height : item.width;
  return { text: item.str, x, y, width, size, rightToLeft: item.dir === 'rtl', angle, font: item.fontName };
}

function directionOf(degrees: number): number {
  const quarter = Math.round(degrees / 90) * 90;
  const angle = Math.abs(degrees - quarter) <= ALMOST ? quarter : Math.round(degrees / SLANT_STEP) * SLANT_STEP;
  return ((angle % 360) + 360) % 360;
}

/** The lines of a page: what most of it says first, and text that runs in another direction apart from it. */
export function pageLines({ page, view, rotate, pieces, notes }: DrawnPage, fonts: FontSigns): PageLines {
  const directions = new Map<number, DrawnPiece[]>();
  for (const piece of pieces) {
    if (!isLegible(fonts, piece)) continue;
    const together = directions.get(piece.angle);
    if (together) together.push(piece);
    else directions.set(piece.angle, [piece]);
  }
  const upright = directionOf(rotate);
  if (notes.length > 0 && !directions.has(upright)) directions.set(upright, []);
  const signs = (angle: number): number => (directions.get(angle) ?? []).reduce((sum, { text }) => sum + text.length, 0);
  const order = [...directions.keys()].sort(
    (one, other) => signs(other) - signs(one) || Number(other === upright) - Number(one === upright),
  );
  const turned = order.map((angle) => {
    const frame = frameOf(view, angle);
    const drawn = withRaisedSigns((directions.get(angle) ?? []).map((piece) => ({ ...piece, ...frame.place(piece.x, piece.y) })));
    const { pieces: written, apart } = angle === upright ? placedNotes(notes, drawn, frame) : NO_NOTES;
    return { height: frame.height, lines: linesOf([...drawn, ...written]), apart: apart.map(linesOf) };
  });
  const [main, ...aside] = turned;
  const apart = turned.flatMap((each) => each.apart);
  return { page, height: main?.height ?? 0, lines: main?.lines ?? [], aside: [...aside.map(({ lines }) => lines), ...apart] };
}

const NO_NOTES = placedNotes([], [], { height: 0, place: (x, y) => ({ x, y }) });

function frameOf([left = 0, bottom = 0, right = 0, top = 0]: readonly number[], angle: number): Frame {
  const [cosine, sine] = [roundedAt(Math.cos((angle * Math.PI) / 180)), roundedAt(Math.sin((angle * Math.PI) / 180))];
  const turn = (x: number, y: number): { x: number; y: number } => ({ x: x * cosine + y * sine, y: y * cosine - x * sine });
  const corners = [turn(left, bottom), turn(left, top), turn(right, bottom), turn(right, top)];
  const least = { x: Math.min(...corners.map(({ x }) => x)), y: Math.min(...corners.map(({ y }) => y)) };
  const height = Math.max(...corners.map(({ y }) => y)) - least.y;
  return {
    height,
    place(x, y) {
      const point = turn(x, y);
      return { x: point.x - least.x, y: point.y - least.y };
    },
  };
}

/** Quarters of a turn are exact. */
const roundedAt = (value: number): number => (Math.abs(value - Math.round(value)) < 1e-9 ? Math.round(value) : value);
