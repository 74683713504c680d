import { DateFormat, exactNumber, plainNumber, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

/** A value that a transform cannot take, in words that follow its name. */
export class TransformFault extends Error {}

/** One change of a value on its way from a row into a field. */
export type Transform = (value: JsonValue) => JsonValue | undefined;

const MOST_ENTRIES = 1_000;
const LONGEST_SEPARATOR = 10;
const MOST_PARTS = 1_000;
const LONGEST_SHOWN = 80;
const CALL = /^([a-z]+)(?:\((.*)\))?$/s;
const SAYS = 'must be trim, lower, number, number(,), date(DD.MM.YYYY), split(;) or {"map": {…}}';

/** The transform that a mapping names, or what is wrong with it. */
export function readTransform(value: JsonValue): Transform | { readonly fault: string } {
  if (typeof value === 'string') return readCall(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: SAYS };
  const { map, ...others } = value as JsonObject;
  if (Object.keys(others).length > 0 || typeof map !== 'object' || map === null || Array.isArray(map)) return { fault: SAYS };
  const entries = Object.entries(map as JsonObject);
  if (entries.length > MOST_ENTRIES) return { fault: `must map at most ${MOST_ENTRIES} values` };
  const table = new Map(entries);
  return each((one) => {
    const found = table.get(typeof one === 'object' ? JSON.stringify(one) : String(one));
    if (found === undefined) throw new TransformFault(`has a value that is not in the map: ${shown(one)}`);
    return found;
  });
}

function readCall(text: string): Transform | { readonly fault: string } {
  const [, name, given] = CALL.exec(text) ?? [];
  if (name === 'trim' && given === undefined) return each((value) => (typeof value === 'string' ? value.trim() : value));
  if (name === 'lower' && given === undefined) return each((value) => (typeof value === 'string' ? value.toLowerCase() : value));
  if (name === 'number' && (given === undefined || given === '.' || given === ',')) return each((value) => numberOf(value, given ?? '.'));
  if (name === 'split' && given !== undefined && given !== '' && given.length <= LONGEST_SEPARATOR) return (value) => parts(value, given);
  if (name === 'date' && given !== undefined) {
    const format = DateFormat.parse(given);
    if (!format) return { fault: 'has no date format: name year, month and day once each, such as date(DD.MM.YYYY), or unix' };
    return each((value) => dateOf(value, given, format));
  }
  return { fault: SAYS };
}

/** Of a list every element; what is absent stays so. */
const each =
  (one: (value: JsonValue) => JsonValue | undefined): Transform =>
  (value) => {
    if (value === null) return value;
    if (!Array.isArray(value)) return one(value);
    return (value as readonly JsonValue[]).flatMap((element) => {
      const changed = element === null ? null : one(element);
      return changed === undefined ? [] : [changed];
    });
  };

/** A number, or where it would lose digits the text of all of them, which a decimal field or a text keeps. */
function numberOf(value: JsonValue, decimal: '.' | ','): number | string | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') throw new TransformFault(`is not a number: ${shown(value)}`);
  if (value.trim() === '') return undefined;
  const plain = plainNumber(value, { decimal, groups: 'thousands', mark: decimal === ',' ? '.' : ',' });
  // A source that writes a comma before fractions does not write a point there.
  const isOther = decimal === ',' && value.includes('.') && plain?.includes('.') === true && !value.includes(',');
  const number = plain === undefined || isOther ? undefined : exactNumber(plain);
  if (number === undefined || !Number.isFinite(Number(number))) throw new TransformFault(`is not a number: ${shown(value)}`);
  return number;
}

function parts(value: JsonValue, separator: string): JsonValue | undefined {
  if (value === null || Array.isArray(value)) return value;
  if (typeof value !== 'string') throw new TransformFault(`is not text that can be split: ${shown(value)}`);
  const found = value.split(separator, MOST_PARTS + 1).map((part) => part.trim());
  if (found.length > MOST_PARTS) throw new TransformFault(`has more than ${MOST_PARTS} parts`);
  return found.filter((part) => part !== '');
}

function dateOf(value: JsonValue, given: string, format: DateFormat): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') throw new TransformFault(`is not a date: ${shown(value)}`);
  if (value === '') return undefined;
  const date = format.read(String(value));
  if (date === undefined) throw new TransformFault(`is not a date in the format ${given}: ${shown(value)}`);
  return date;
}

/** Between quotation marks whatever it is, so that reports can be shown without it: it is cut between them. */
function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  const inner = typeof value === 'string' ? text.slice(1, -1) : text;
  return `"${inner.length > LONGEST_SHOWN ? `${inner.slice(0, LONGEST_SHOWN)}…` : inner}"`;
}
