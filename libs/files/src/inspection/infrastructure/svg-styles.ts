import type { SvgElement } from './svg-tree';

/** Values by property; an element may have several of one, of which any may hold. */
export type Declarations = Map<string, string[]>;

interface Rule {
  readonly selector: Selector;
  readonly declarations: Declarations;
}

/** What the last part of a selector asks of an element; what comes before it is passed over, so that it fits too often rather than too seldom. */
interface Selector {
  readonly name: string | null;
  readonly id: string | null;
  readonly classes: readonly string[];
}

const DEAR = /^(filter|mask|clip-path|fill|stroke|marker(-start|-mid|-end)?|opacity|mix-blend-mode|transform)$/;

/** Whether a property may make it dear to draw an element. */
export const isDear = (property: string): boolean => DEAR.test(property);

/** The rules of a drawing's style elements. */
export class StyleRules {
  private readonly byKey = new Map<string, Rule[]>();
  private selectors = 0;

  /** Selectors of all rules, those of cheap properties included. */
  get count(): number {
    return this.selectors;
  }

  add(css: string): void {
    const plain = unescaped(css.replace(/\/\*[\s\S]*?\*\//g, ' '));
    for (const [, heads = '', body = ''] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      const selectors = heads.slice(heads.lastIndexOf(';') + 1).split(',');
      this.selectors += selectors.length;
      const declarations = declarationsOf(body);
      if (declarations.size === 0) continue;
      for (const selector of selectors.map(lastPart)) addTo(this.byKey, keyOf(selector), [{ selector, declarations }]);
    }
  }

  applyTo({ name, attributes, styles }: SvgElement): void {
    const classes = (attributes['class'] ?? '').split(/\s+/);
    const id = attributes['id'] ?? null;
    for (const key of ['*', name, `#${id ?? ''}`, ...classes.map((each) => `.${each}`)]) {
      for (const { selector, declarations } of this.byKey.get(key) ?? []) {
        const fits =
          (selector.name ?? name) === name && (selector.id ?? id) === id && selector.classes.every((each) => classes.includes(each));
        if (fits) for (const [property, values] of declarations) addTo(styles, property, values);
      }
    }
  }
}

/** The dear ones among the declarations. */
export function declarationsOf(css: string): Declarations {
  const found: Declarations = new Map();
  for (const declaration of unescaped(css).split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (isDear(property)) addTo(found, property, [declaration.slice(colon + 1).trim()]);
  }
  return found;
}

export function addTo<T>(lists: Map<string, T[]>, key: string, values: readonly T[]): void {
  const list = lists.get(key);
  if (list) list.push(...values);
  else lists.set(key, [...values]);
}

function keyOf({ name, id, classes: [first] }: Selector): string {
  if (id !== null) return `#${id}`;
  return first === undefined ? (name ?? '*') : `.${first}`;
}

function lastPart(selector: string): Selector {
  const compound =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  const plain = compound.replace(/::?[\w-]+(\([^)]*\))?|\[[^\]]*\]/g, '');
  return {
    name: /^[\w-]+/.exec(plain)?.[0] ?? null,
    id: /#([^.#]+)/.exec(plain)?.[1] ?? null,
    classes: [...plain.matchAll(/\.([^.#]+)/g)].map(([, name = '']) => name),
  };
}

/** Letters may be written as numbers: `f\69lter`. */
const unescaped = (css: string): string =>
  css.includes('\\') ? css.replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => letter(parseInt(code, 16))).replace(/\\(.)/g, '$1') : css;

const letter = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '');
