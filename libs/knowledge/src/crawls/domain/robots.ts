/** The name that sites know the crawler by. */
const AGENT = 'atrium';
/** The longest pause that a site may ask for. */
const LONGEST_DELAY_MS = 30_000;
/** Rules of a site that are looked at; people write a few dozen. */
const MOST_RULES = 500;
const LONGEST_PATTERN = 2_048;
/** Sitemaps that are read. */
const MOST_SITEMAPS = 200;

/** What a site lets the crawler do. */
export interface RobotRules {
  isAllowed(address: string): boolean;
  /** The pause between two requests that the site asks for. */
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
  /** Of the text that they were read from, which they keep in memory. */
  readonly characters: number;
}

/** A site without rules allows everything. */
export const NO_RULES: RobotRules = { isAllowed: () => true, delayMs: 0, sitemaps: [], characters: 0 };

/** A path with `*` for any text; `$` at its end holds it there. */
interface Rule {
  readonly allowed: boolean;
  readonly parts: readonly string[];
  readonly isWhole: boolean;
  /** The longest rule that fits decides. */
  readonly length: number;
}

/** What a robots.txt says to some agents. */
interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  delaySeconds: number | undefined;
}

/** The rules of a robots.txt (RFC 9309); they hold for addresses of the same site. Asking them takes time that grows with rules and address alone. */
export function robotRules(address: string, text: string): RobotRules {
  const { groups, sitemaps } = read(address, text);
  const named = groups.filter(({ agents }) => agents.includes(AGENT));
  const own = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  const rules = own.flatMap((group) => group.rules).slice(0, MOST_RULES);
  const seconds = own.find(({ delaySeconds }) => delaySeconds !== undefined)?.delaySeconds ?? 0;
  const { origin } = new URL(address);
  return {
    isAllowed: (page) => {
      const url = URL.canParse(page) ? new URL(page) : undefined;
      if (url?.origin !== origin) return true;
      const path = spelled(url.pathname + url.search);
      const fitting = rules.filter((rule) => fits(rule, path));
      const longest = Math.max(0, ...fitting.map(({ length }) => length));
      return fitting.length === 0 || fitting.some(({ length, allowed }) => length === longest && allowed);
    },
    delayMs: Math.min(Math.max(0, seconds * 1_000), LONGEST_DELAY_MS),
    sitemaps,
    characters: text.length,
  };
}

function read(address: string, text: string): { readonly groups: readonly Group[]; readonly sitemaps: readonly string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | undefined;
  let begun = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const [said = ''] = line.split('#', 1);
    const colon = said.indexOf(':');
    if (colon < 0) continue;
    const [key, value] = [said.slice(0, colon).trim().toLowerCase(), said.slice(colon + 1).trim()];
    if (key === 'sitemap') {
      if (sitemaps.length < MOST_SITEMAPS && value.length <= LONGEST_PATTERN && URL.canParse(value, address))
        sitemaps.push(new URL(value, address).href);
    } else if (key === 'user-agent') {
      if (!group || begun) groups.push((group = { agents: [], rules: [], delaySeconds: undefined }));
      begun = false;
      group.agents.push((value.split('/', 1)[0] ?? '').trim().toLowerCase());
    } else if (group) {
      begun = true;
      if ((key === 'allow' || key === 'disallow') && value !== '' && value.length <= LONGEST_PATTERN)
        group.rules.push(ruleOf(value, key === 'allow'));
      if (key === 'crawl-delay' && /^\d+(?:\.\d+)?$/.test(value)) group.delaySeconds = Number(value);
    }
  }
  return { groups, sitemaps };
}

function ruleOf(pattern: string, allowed: boolean): Rule {
  const isWhole = pattern.endsWith('$');
  const parts = spelled(isWhole ? pattern.slice(0, -1) : pattern).split(/\*+/);
  return { allowed, parts, isWhole, length: pattern.length };
}

/** The first place of each part behind the one before is as good as any other, so nothing is looked at twice. */
function fits({ parts, isWhole }: Rule, path: string): boolean {
  const [first = '', ...rest] = parts;
  if (!path.startsWith(first)) return false;
  const last = isWhole ? rest.pop() : undefined;
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isWhole) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}

/** One spelling of characters that may be written as they are or by their code. */
function spelled(path: string): string {
  try {
    return encodeURI(decodeURI(path)).replace(/%25/g, '%');
  } catch {
    return path;
  }
}
