import { readXml, type Package, type XmlElement, type XmlHandler } from '@atrium/platform/tabular';
import { levelNumber } from './lists';

/** Above or below the line; on it, whatever is said elsewhere. */
export type Shift = 'raised' | 'lowered' | 'none';

const SHIFTS: ReadonlyMap<string, Shift> = new Map(Object.entries<Shift>({ superscript: 'raised', subscript: 'lowered' }));

/** What `vertAlign` says. */
export const shiftOf = (element: XmlElement): Shift => SHIFTS.get(element.attribute('val') ?? '') ?? 'none';

/** What a style says that the text needs. */
export interface WordStyle {
  readonly list: string | undefined;
  readonly level: number | undefined;
  readonly isHidden: boolean;
  /** Its text is written above or below the line. */
  readonly shift: Shift | undefined;
  /** The program calls it a heading, or the title. */
  readonly isHeading: boolean;
}

export type WordStyles = ReadonlyMap<string, WordStyle>;

interface Declared {
  name: string;
  base: string | undefined;
  list: string | undefined;
  level: number | undefined;
  isHidden: boolean | undefined;
  shift: Shift | undefined;
}

const HEADING = /^(?:heading \d|title)$/i;

/** Styles that are based on each other. */
const MOST_BASES = 20;

/** The styles of a document, with what they inherit. */
export async function stylesOf(pack: Package, part: string | undefined, what: string): Promise<WordStyles> {
  if (part === undefined || !pack.has(part)) return new Map();
  const reader = new StyleReader();
  await readXml(await pack.stream(part), reader, what);
  return reader.styles();
}

/** Whether a property that may be switched off is on. */
export const isOn = (element: XmlElement): boolean => !/^(?:0|false|off)$/.test(element.attribute('val') ?? '1');

class StyleReader implements XmlHandler {
  private readonly declared = new Map<string, Declared>();
  private style: Declared | undefined;

  open(element: XmlElement): void {
    const value = element.attribute('val');
    if (element.name === 'style') {
      this.style = { name: '', base: undefined, list: undefined, level: undefined, isHidden: undefined, shift: undefined };
      this.declared.set(element.attribute('styleId') ?? '', this.style);
    }
    if (!this.style) return;
    if (element.name === 'name') this.style.name = value ?? '';
    else if (element.name === 'basedOn') this.style.base = value;
    else if (element.name === 'numId') this.style.list = value;
    else if (element.name === 'ilvl') this.style.level = levelNumber(value);
    else if (element.name === 'vanish') this.style.isHidden = isOn(element);
    else if (element.name === 'vertAlign') this.style.shift = shiftOf(element);
  }

  close(name: string): void {
    if (name === 'style') this.style = undefined;
  }

  styles(): WordStyles {
    return new Map([...this.declared.keys()].map((id) => [id, this.inherited(id)]));
  }

  private inherited(id: string): WordStyle {
    const name = this.declared.get(id)?.name ?? '';
    const own: Declared = { name, base: id, list: undefined, level: undefined, isHidden: undefined, shift: undefined };
    for (let bases = 0; own.base !== undefined && bases < MOST_BASES; bases++) {
      const { base, list, level, isHidden, shift }: Partial<Declared> = this.declared.get(own.base) ?? {};
      own.list ??= list;
      own.level ??= level;
      own.isHidden ??= isHidden;
      own.shift ??= shift;
      own.base = base;
    }
    return {
      list: own.list,
      level: own.level,
      isHidden: own.isHidden === true,
      shift: own.shift,
      isHeading: HEADING.test(name),
    };
  }
}
