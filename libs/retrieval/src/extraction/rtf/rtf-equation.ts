import type { XmlElement } from '@atrium/platform/tabular';
import { Equation } from '../office/word/equations';

/** Words that begin a group which is an element of an equation. A run, `mr`, is one too. */
export const PARTS_OF_EQUATIONS: ReadonlySet<string> = new Set(
  'mf mnum mden msSup msSub msSubSup msPre me msup msub mrad mdeg mnary mlimLow mlimUpp mlim mfunc mfName md meqArr mm mmr macc mbar mbox mborderBox mgroupChr mphant'.split(
    ' ',
  ),
);
/** Elements inside each other; what is deeper is text of the last one. */
const DEEPEST = 100;
const LONGEST_VALUE = 16;

interface Open {
  /** Of properties, the value of each is the text of its group. */
  readonly kind: 'element' | 'properties' | 'value';
  readonly name: string;
  value: string;
}

/** An equation of a rich text, whose elements are groups that begin with their names. */
export class RtfEquation {
  private readonly equation = new Equation();
  private readonly path: Open[] = [];
  private hasText = false;

  /** A group within it begins with this word. Whether it is one of its elements. */
  open(word: string): boolean {
    const outer = this.path.at(-1)?.kind ?? 'element';
    const kind = outer !== 'element' ? 'value' : word.endsWith('Pr') ? 'properties' : 'element';
    const isKnown = kind === 'element' ? word === 'mr' || PARTS_OF_EQUATIONS.has(word) : word.startsWith('m');
    if (!isKnown || this.path.length >= DEEPEST) return false;
    const name = word.slice(1);
    if (kind !== 'value') this.equation.open(elementOf(name));
    this.path.push({ kind, name, value: '' });
    return true;
  }

  add(text: string): void {
    const inside = this.path.at(-1);
    if (inside !== undefined && inside.kind !== 'element') {
      inside.value = (inside.value + text).slice(0, LONGEST_VALUE);
      return;
    }
    this.hasText = true;
    this.equation.open(elementOf('t'));
    this.equation.add(text);
    this.equation.close();
  }

  close(): void {
    const closed = this.path.pop();
    if (!closed) return;
    if (closed.kind === 'value') this.equation.open(elementOf(closed.name, closed.value.trim()));
    this.equation.close();
  }

  /** Nothing where all of it was deleted or is hidden, though it has elements. */
  get text(): string {
    return this.hasText ? this.equation.text : '';
  }
}

const elementOf = (name: string, value?: string): Pick<XmlElement, 'name' | 'attribute'> => ({ name, attribute: () => value });
