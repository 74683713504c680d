import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@atrium/platform/kernel';
import type { SaidCall } from './chat-message';
import { objectOf, parsedJson } from './loose-json';

/** A call of a tool as it was said in the end. */
export interface GatheredCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly extra: JsonObject | null;
}

/** The tool calls of one answer. */
const MOST_CALLS = 200;
/** White space around an input, beyond which two of other lengths are not compared: each comparison reads all of what has come. */
const MOST_BLANK = 100;
/** Marks of a template that are left behind the input. */
const MARKS = /^\s*(?:<[/|]?[\w|]{1,40}>|`{3})\s*$/;

/**
 * The calls of one answer, put together from pieces. Pieces of one call have one id or one place; where providers give all calls one
 * place, or pieces neither, a new name begins a call, and so does a name before another object than the one that is whole.
 */
export class GatheredCalls {
  private readonly calls: OpenCall[] = [];
  /** A call beyond those that are taken: what goes on with the last one goes on with it. */
  private beyond: OpenCall | null = null;

  get areNone(): boolean {
    return this.calls.length === 0;
  }

  addPiece(piece: SaidCall): void {
    const open = this.openFor(piece);
    if (open) return open === this.beyond ? undefined : open.add(piece);
    if (!(piece.name ?? piece.id ?? piece.input)) return;
    const call = new OpenCall(piece);
    if (this.calls.length < MOST_CALLS) this.calls.push(call);
    else this.beyond = call;
  }

  listCalls(): readonly GatheredCall[] {
    const ids = new Set<string>();
    const named = this.calls.filter(({ name }) => name.trim() !== '');
    return named.map(({ id: given, name, whole, extra }) => {
      const id = given === null || ids.has(given) ? `call_${randomUUID()}` : given;
      ids.add(id);
      return { id, name, input: whole, extra };
    });
  }

  /** The call that a piece belongs to; undefined where it begins one. */
  private openFor(piece: SaidCall): OpenCall | undefined {
    const { id, index } = piece;
    const known = id === null ? undefined : this.calls.findLast((call) => call.id === id && (index === null || call.index === index));
    if (known) return known.isContinuedBy(piece) ? known : undefined;
    const sameId = id === null ? undefined : this.calls.findLast((call) => call.id === id);
    if (sameId) return piece.name === null ? sameId : undefined;
    const last = index === null ? (this.beyond ?? this.calls.at(-1)) : this.calls.findLast((call) => call.index === index);
    if (!last || (id !== null && index === null)) return undefined;
    return last.isContinuedBy(piece) ? last : undefined;
  }
}

class OpenCall {
  readonly index: number | null;
  id: string | null;
  name: string;
  extra: JsonObject | null;
  private input = '';
  private readonly object = new ObjectEnd();

  constructor({ index, id, name, input, extra }: SaidCall) {
    this.index = index;
    this.id = id;
    this.name = name ?? '';
    this.extra = extra;
    this.grow(input ?? '');
  }

  /** Whether a piece of the same place or id goes on with this call. */
  isContinuedBy({ id, name, input }: SaidCall): boolean {
    if (name === null || this.name === '') return true;
    const isOther = id !== null && this.id !== null && id !== this.id;
    if (name !== this.name) return !isOther && id === null && this.id !== null && this.input === '';
    if (isOther) return this.input !== '' && !this.object.isWhole;
    return !this.object.isWhole || (id !== null && this.repeats(input));
  }

  add({ id, name, input, extra }: SaidCall): void {
    this.id ??= id;
    this.extra = extra ?? this.extra;
    const isRepeated = name === this.name && this.object.isWhole && this.repeats(input);
    // A name that is cut goes on before the input begins.
    if (name !== null && name !== this.name && (this.input === '' || this.name === '')) this.name += name;
    if (isRepeated) return;
    // An input that is empty at first and said afterwards.
    if (this.object.isWhole && this.isBare && input?.trimStart().startsWith('{')) this.clear();
    this.grow(input ?? '');
  }

  /** The input, out of the text that some write it into, and without marks behind it. */
  get whole(): string {
    const text = this.input.trim();
    if (text.startsWith('"')) {
      const written = parsedJson(text);
      return typeof written === 'string' && objectOf(parsedJson(written)) ? written : this.input;
    }
    const { end } = this.object;
    return end !== null && MARKS.test(this.input.slice(end)) ? this.input.slice(0, end) : this.input;
  }

  private repeats(input: string | null): boolean {
    if (input === null || input.trim() === '') return true;
    return Math.abs(input.length - this.input.length) <= MOST_BLANK && input.trim() === this.input.trim();
  }

  private get isBare(): boolean {
    return this.input.length <= MOST_BLANK && this.input.trim() === '{}';
  }

  private grow(text: string): void {
    this.input += text;
    this.object.read(text);
  }

  private clear(): void {
    this.input = '';
    this.object.restart();
  }
}

/** Finds where the first object of a text ends, each sign read once. */
class ObjectEnd {
  private at = 0;
  private depth = 0;
  private isText = false;
  private isEscaped = false;
  end: number | null = null;

  get isWhole(): boolean {
    return this.end !== null;
  }

  read(text: string): void {
    for (let here = 0; here < text.length && this.end === null; here++) this.sign(text.charAt(here), this.at + here + 1);
    this.at += text.length;
  }

  restart(): void {
    [this.at, this.depth, this.isText, this.isEscaped, this.end] = [0, 0, false, false, null];
  }

  private sign(sign: string, behind: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (sign === '\\') this.isEscaped = this.isText;
    else if (sign === '"') this.isText = !this.isText;
    else if (this.isText) return;
    else if (sign === '{') this.depth++;
    else if (sign === '}' && --this.depth === 0) this.end = behind;
  }
}
