import { readXml, type Package, type XmlElement, type XmlHandler } from '@atrium/platform/tabular';

/** How a level of a list is counted and shown. */
export interface ListLevel {
  readonly format: string;
  /** `%1.%2`: the counts of the levels, with what is around them. */
  readonly text: string;
  readonly start: number;
  /** Counts of levels above are plain numbers, whatever their own format is. */
  readonly isLegal: boolean;
  /** No blank is between the number and its paragraph. */
  readonly isClose: boolean;
  /** The level above whose next number begins this one again, from 1; 0: none does. */
  readonly restart: number | undefined;
  /** The style of paragraphs that takes this level. */
  readonly style: string | undefined;
}

type Levels = Map<number, ListLevel>;

/** A list of a document: numbers of several lists go on where they share their levels. */
export interface List {
  readonly shared: string;
  readonly levels: ReadonlyMap<number, ListLevel>;
  /** Levels that this list begins again, and with which number. */
  readonly starts: ReadonlyMap<number, number>;
}

export type Lists = ReadonlyMap<string, List>;

const MOST_LEVELS = 9;
/** Links from a list to a style of lists to its list. */
const MOST_LINKS = 10;

interface Shared {
  readonly levels: Levels;
  link: string | undefined;
}

interface Own {
  shared: string;
  readonly levels: Levels;
  readonly starts: Map<number, number>;
}

/** The lists that a document declares. */
export async function listsOf(pack: Package, part: string | undefined, what: string): Promise<Lists> {
  if (part === undefined || !pack.has(part)) return new Map();
  const reader = new ListReader();
  await readXml(await pack.stream(part), reader, what);
  return reader.lists();
}

class ListReader implements XmlHandler {
  private readonly shared = new Map<string, Shared>();
  private readonly own = new Map<string, Own>();
  /** Lists by the style of lists that they are. */
  private readonly styles = new Map<string, string>();
  private inShared: Shared | undefined;
  private inSharedId = '';
  private inOwn: Own | undefined;
  private override: number | undefined;
  private level: { -readonly [Key in keyof ListLevel]: ListLevel[Key] } | undefined;
  private at = 0;

  open(element: XmlElement): void {
    const value = element.attribute('val');
    switch (element.name) {
      case 'abstractNum':
        this.inShared = { levels: new Map(), link: undefined };
        this.inSharedId = element.attribute('abstractNumId') ?? '';
        this.shared.set(this.inSharedId, this.inShared);
        return;
      case 'num':
        this.inOwn = { shared: '', levels: new Map(), starts: new Map() };
        this.own.set(element.attribute('numId') ?? '', this.inOwn);
        return;
      case 'abstractNumId':
        if (this.inOwn) this.inOwn.shared = value ?? '';
        return;
      case 'numStyleLink':
        if (this.inShared) this.inShared.link = value;
        return;
      case 'styleLink':
        if (this.inShared && value !== undefined) this.styles.set(value, this.inSharedId);
        return;
      case 'lvlOverride':
        this.override = levelNumber(element.attribute('ilvl'));
        return;
      case 'startOverride':
        if (this.override !== undefined) this.inOwn?.starts.set(this.override, numberOf(value) ?? 1);
        return;
      default:
        this.openLevel(element, value);
    }
  }

  close(name: string): void {
    if (name === 'abstractNum') this.inShared = undefined;
    else if (name === 'num') this.inOwn = undefined;
    else if (name === 'lvlOverride') this.override = undefined;
    else if (name === 'lvl' && this.level) {
      (this.inOwn ?? this.inShared)?.levels.set(this.at, this.level);
      this.level = undefined;
    }
  }

  lists(): Lists {
    return new Map(
      [...this.own].map(([id, { shared, levels, starts }]): [string, List] => {
        const found = this.linked(shared);
        return [id, { shared: found, levels: new Map([...(this.shared.get(found)?.levels ?? []), ...levels]), starts }];
      }),
    );
  }

  /** A list may take its levels from the one that a style of lists names. */
  private linked(id: string): string {
    let found = id;
    for (let links = 0; links < MOST_LINKS; links++) {
      const link = this.shared.get(found)?.link;
      const next = link === undefined ? undefined : this.styles.get(link);
      if (next === undefined || next === found) return found;
      found = next;
    }
    return found;
  }

  private openLevel(element: XmlElement, value: string | undefined): void {
    if (element.name === 'lvl') {
      this.at = levelNumber(element.attribute('ilvl'));
      this.level = {
        format: 'decimal',
        text: `%${this.at + 1}.`,
        start: 1,
        isLegal: false,
        isClose: false,
        restart: undefined,
        style: undefined,
      };
      return;
    }
    const { level } = this;
    if (!level) return;
    if (element.name === 'numFmt') level.format = value ?? 'decimal';
    else if (element.name === 'lvlText') level.text = value ?? '';
    else if (element.name === 'start') level.start = numberOf(value) ?? 1;
    else if (element.name === 'isLgl') level.isLegal = value !== '0' && value !== 'false';
    else if (element.name === 'suff') level.isClose = value === 'nothing';
    else if (element.name === 'lvlRestart') level.restart = numberOf(value);
    else if (element.name === 'pStyle') level.style = value;
  }
}

function numberOf(value: string | undefined): number | undefined {
  const number = Number(value);
  return value !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export const levelNumber = (value: string | undefined): number => Math.min(numberOf(value) ?? 0, MOST_LEVELS - 1);
