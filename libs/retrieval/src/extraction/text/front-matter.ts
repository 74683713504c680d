const BLOCK = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const ENTRY = /^([A-Za-z_][\w-]{0,63}):[ \t]*(.*)$/;
const ITEM = /^[ \t]*-[ \t]+(.+)$/;
const MOST_KEYS = 50;
const LONGEST = 1_000;

/** What is between `---` at the beginning of a markdown: its keys with one line or a list each; what is deeper is left out. */
export function frontMatterOf(text: string): { readonly body: string; readonly metadata: Record<string, string> } {
  const [whole, block] = BLOCK.exec(text) ?? [];
  if (whole === undefined || block === undefined) return { body: text, metadata: {} };
  const entries = new Map<string, string[]>();
  let key: string | undefined;
  for (const line of block.split('\n')) {
    const [, name, value = ''] = ENTRY.exec(line) ?? [];
    const item = ITEM.exec(line)?.[1];
    if (name !== undefined && entries.size < MOST_KEYS) {
      key = name;
      entries.set(name, valuesOf(value));
    } else if (item !== undefined && key !== undefined) entries.get(key)?.push(unquoted(item));
    else if (/^\S/.test(line)) key = undefined;
  }
  if (entries.size === 0) return { body: text, metadata: {} };
  const metadata = Object.fromEntries(
    [...entries].flatMap(([name, values]) => (values.length > 0 ? [[name, values.join(', ').slice(0, LONGEST)]] : [])),
  ) as Record<string, string>;
  return { body: text.slice(whole.length), metadata };
}

function valuesOf(value: string): string[] {
  const list = /^\[(.*)\]$/.exec(value.trim())?.[1];
  const values = list === undefined ? [value] : list.split(',');
  return values.map(unquoted).filter((each) => each !== '' && !/^[|>]/.test(each));
}

const unquoted = (value: string): string => value.trim().replace(/^(["'])(.*)\1$/, '$2');
