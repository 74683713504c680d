import { exactJson, exactNumber, type JsonValue } from '@atrium/platform/kernel';

/** Types of PostgreSQL by their ids, which are the same in every database. */
const BOOL = 16;
const BYTEA = 17;
const INTEGERS = new Set([20, 21, 23, 26]);
const FLOATS = new Set([700, 701]);
const JSONS = new Set([114, 3_802]);
const NUMERIC = 1_700;
const POINTS_IN_TIME = new Set([1_114, 1_184]);

/** Ids of lists, and of what they hold. */
const LISTS: ReadonlyMap<number, number> = new Map([
  [143, 142],
  [199, 114],
  [651, 650],
  [1_000, BOOL],
  [1_001, BYTEA],
  [1_002, 18],
  [1_003, 19],
  [1_005, 21],
  [1_007, 23],
  [1_009, 25],
  [1_014, 1_042],
  [1_015, 1_043],
  [1_016, 20],
  [1_021, 700],
  [1_022, 701],
  [1_028, 26],
  [1_040, 829],
  [1_041, 869],
  [1_115, 1_114],
  [1_182, 1_082],
  [1_183, 1_083],
  [1_185, 1_184],
  [1_187, 1_186],
  [1_231, NUMERIC],
  [1_270, 1_266],
  [2_951, 2_950],
  [3_807, 3_802],
]);
/** Types with ids from here on were made in the database itself. */
const FIRST_OF_ITS_OWN = 16_384;
const POINT = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(\.\d+)?(?:([+-])(\d\d)(?::?(\d\d))?(?::(\d\d))?)?$/;

export const isOfItsOwn = (type: number): boolean => type >= FIRST_OF_ITS_OWN;

/** Bytes are no value of an object; a column of them is left out. */
export const isLeftOut = (type: number): boolean => type === BYTEA || LISTS.get(type) === BYTEA;

/**
 * The value that PostgreSQL writes as a text. Nothing is rounded: a number that a double does not hold exactly stays a text. `own`
 * names what the lists hold whose types were made in the database.
 */
export function sqlValue(text: string | null, type: number, own: ReadonlyMap<number, number> = new Map()): JsonValue {
  if (text === null) return null;
  const held = LISTS.get(type) ?? own.get(type);
  if (held !== undefined) return listOf(text, held) ?? text;
  if (type === BOOL) return text === 't';
  if (INTEGERS.has(type)) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  if (FLOATS.has(type)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === NUMERIC) return exactNumber(text);
  if (JSONS.has(type)) return exactJson(text);
  return POINTS_IN_TIME.has(type) ? pointOf(text) : text;
}

/** ISO 8601, with every digit of the fraction and the offset that the database says; `infinity` and years BC stay as they are. */
function pointOf(text: string): string {
  const [, year, month, day, hour, minute, second, fraction = '', sign, hours, minutes = '00', seconds] = POINT.exec(text) ?? [];
  if (year === undefined) return text;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  if (sign === undefined) return `${local}${fraction}`;
  if (seconds === undefined) return `${local}${fraction}${sign}${hours}:${minutes}`;
  // Offsets from before there were time zones have seconds, which ISO 8601 does not know.
  const shift = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * (sign === '+' ? 1_000 : -1_000);
  return `${new Date(Date.parse(`${local}Z`) - shift).toISOString().slice(0, -'.000Z'.length)}${fraction}Z`;
}

/** The elements of `{a,"b c",NULL,{…}}`; undefined where the text is no such list. */
function listOf(text: string, held: number): JsonValue[] | undefined {
  // Lists that do not begin at 1 say so in front: [0:2]={a,b,c}.
  const body = text.replace(/^(?:\[-?\d+:-?\d+\])+=/, '');
  const reader = new ListReader(body, held);
  return reader.read();
}

class ListReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly held: number,
  ) {}

  read(): JsonValue[] | undefined {
    const list = this.list();
    return this.at === this.text.length ? list : undefined;
  }

  private list(): JsonValue[] | undefined {
    if (this.text[this.at++] !== '{') return undefined;
    const elements: JsonValue[] = [];
    if (this.text[this.at] === '}') {
      this.at += 1;
      return elements;
    }
    while (this.at < this.text.length) {
      const element = this.element();
      if (element === undefined) return undefined;
      elements.push(element);
      const mark = this.text[this.at++];
      if (mark === '}') return elements;
      if (mark !== ',') return undefined;
    }
    return undefined;
  }

  private element(): JsonValue | undefined {
    const first = this.text[this.at];
    if (first === '{') return this.list();
    if (first === '"') return this.quoted();
    const start = this.at;
    while (this.at < this.text.length && this.text[this.at] !== ',' && this.text[this.at] !== '}') this.at += 1;
    const word = this.text.slice(start, this.at);
    return sqlValue(word === 'NULL' ? null : word, this.held);
  }

  private quoted(): JsonValue | undefined {
    const pieces: string[] = [];
    for (let from = (this.at += 1); this.at < this.text.length; this.at += 1) {
      const mark = this.text[this.at];
      if (mark === '\\') {
        pieces.push(this.text.slice(from, this.at));
        from = this.at += 1;
      } else if (mark === '"') {
        pieces.push(this.text.slice(from, this.at));
        this.at += 1;
        return sqlValue(pieces.join(''), this.held);
      }
    }
    return undefined;
  }
}
