import type { Package, XmlElement, XmlHandler } from '@atrium/platform/tabular';
import { BULLET, type LevelFormat } from './odf-numbers';
import { readPart } from './odf-package';

interface Style {
  readonly name: string;
  readonly parent: string | undefined;
  hidden: boolean;
  shift: 'sup' | 'sub' | undefined;
}

/** Styles that are derived from each other; programs stay far below. */
const LONGEST_LINE = 20;
/** Properties that hide what has the style: text, sheets and slides. */
const HIDING: readonly (readonly [element: string, attribute: string, value: string])[] = [
  ['text-properties', 'display', 'none'],
  ['table-properties', 'display', 'false'],
  ['drawing-page-properties', 'visibility', 'hidden'],
];

/** What the styles of an OpenDocument package say of its text: what is hidden, what is the title, and how lists are numbered. */
export class OdfStyles implements XmlHandler {
  private readonly styles = new Map<string, Style>();
  private readonly lists = new Map<string, Map<number, LevelFormat>>();
  private readonly outlineLevels = new Map<number, LevelFormat>();
  private style: Style | undefined;
  private levels: Map<number, LevelFormat> | undefined;

  static async of(pack: Package, what: string): Promise<OdfStyles> {
    const styles = new OdfStyles();
    await readPart(pack, 'styles.xml', styles, what);
    return styles;
  }

  /** Elements of any part that holds styles may be given. */
  open(element: XmlElement): void {
    const { name } = element;
    if (name === 'style') this.beginStyle(element);
    else if (name === 'list-style') this.beginList(element.attribute('name') ?? '');
    else if (name === 'outline-style') this.levels = this.outlineLevels;
    else if (name.endsWith('-level-style') || name.startsWith('list-level-style-')) this.addLevel(element);
    else if (this.style && HIDING.some(([of, attribute, value]) => of === name && element.attribute(attribute) === value))
      this.style.hidden = true;
    else if (this.style && name === 'text-properties') this.style.shift = shiftOf(element.attribute('text-position')) ?? this.style.shift;
  }

  close(name: string): void {
    if (name === 'style') this.style = undefined;
    else if (name === 'list-style' || name === 'outline-style') this.levels = undefined;
  }

  isHidden(family: string, name: string | undefined): boolean {
    return this.lineOf(family, name).some(({ hidden }) => hidden);
  }

  /** Whether a span is raised above the line or lowered below it. */
  shiftOf(name: string | undefined): 'sup' | 'sub' | undefined {
    return this.lineOf('text', name).find(({ shift }) => shift !== undefined)?.shift;
  }

  isTitle(name: string | undefined): boolean {
    return name === 'Title' || this.lineOf('paragraph', name).some((style) => style.name === 'Title' || style.parent === 'Title');
  }

  listLevel(name: string | undefined, level: number): LevelFormat {
    return this.lists.get(name ?? '')?.get(level) ?? BULLET;
  }

  outlineLevel(level: number): LevelFormat | undefined {
    return this.outlineLevels.get(level);
  }

  private beginStyle(element: XmlElement): void {
    const [family = '', name = ''] = [element.attribute('family'), element.attribute('name')];
    this.style = { name, parent: element.attribute('parent-style-name'), hidden: false, shift: undefined };
    this.styles.set(`${family}/${name}`, this.style);
  }

  private beginList(name: string): void {
    this.levels = new Map();
    this.lists.set(name, this.levels);
  }

  private addLevel(element: XmlElement): void {
    const level = Number(element.attribute('level'));
    const isNumber = element.name !== 'list-level-style-bullet' && element.name !== 'list-level-style-image';
    const count = (name: string): number => Math.max(1, Math.min(10, Number(element.attribute(name) ?? 1) || 1));
    this.levels?.set(
      level,
      isNumber
        ? {
            format: element.attribute('num-format') ?? '',
            before: element.attribute('num-prefix') ?? '',
            behind: element.attribute('num-suffix') ?? '',
            levels: count('display-levels'),
            start: Math.max(0, Number(element.attribute('start-value') ?? 1) || 0),
          }
        : BULLET,
    );
  }

  /** A style and those it is derived from. */
  private lineOf(family: string, name: string | undefined): Style[] {
    const line: Style[] = [];
    for (let next = name; next !== undefined && line.length < LONGEST_LINE;) {
      const style = this.styles.get(`${family}/${next}`);
      if (!style) break;
      line.push(style);
      next = style.parent;
    }
    return line;
  }
}

/** `super 58%`, `sub`, `33% 58%` or `-33% 58%`. */
function shiftOf(position: string | undefined): 'sup' | 'sub' | undefined {
  if (position === undefined) return undefined;
  if (position.startsWith('super') || parseFloat(position) > 0) return 'sup';
  return position.startsWith('sub') || parseFloat(position) < 0 ? 'sub' : undefined;
}
