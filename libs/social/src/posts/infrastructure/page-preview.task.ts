/** What a page says of itself. */
export interface PagePreview {
  readonly title: string | null;
  readonly description: string | null;
  readonly image_url: string | null;
  readonly site_name: string | null;
  readonly canonical: string | null;
}

const LONGEST = { title: 400, description: 4_000, url: 2_048, name: 255 } as const;
const MOST_SCRIPTS = 20;

export const prepare = (): Promise<unknown> => import('cheerio');

/** Open Graph first, then Twitter, then JSON-LD, then what every page has. */
export async function perform({ html, address }: { readonly html: string; readonly address: string }): Promise<PagePreview> {
  const { load } = await import('cheerio');
  const page = load(html);
  const meta = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const found = page(`meta[property="${name}"], meta[name="${name}"]`).first().attr('content')?.trim();
      if (found) return found;
    }
    return null;
  };
  const scripts = page('script[type="application/ld+json"]').slice(0, MOST_SCRIPTS).toArray();
  const linked = linkedData(scripts.map((script) => page(script).text()));
  const title = meta('og:title', 'twitter:title') ?? textIn(linked, 'headline', 'name') ?? page('title').first().text().trim();
  const description = meta('og:description', 'twitter:description') ?? textIn(linked, 'description') ?? meta('description');
  const image = meta('og:image:secure_url', 'og:image', 'twitter:image', 'twitter:image:src') ?? imageIn(linked);
  return {
    title: cut(title, LONGEST.title),
    description: cut(description, LONGEST.description),
    image_url: absolute(image, address),
    site_name: cut(meta('og:site_name'), LONGEST.name),
    canonical: absolute(page('link[rel="canonical"]').first().attr('href') ?? meta('og:url'), address),
  };
}

const cut = (text: string | null, most: number): string | null => {
  const plain = text?.replace(/\s+/gu, ' ').trim() ?? '';
  return plain === '' ? null : [...plain].slice(0, most).join('');
};

function absolute(url: string | null | undefined, address: string): string | null {
  if (!url || !URL.canParse(url, address)) return null;
  const { href, protocol } = new URL(url, address);
  return /^https?:$/.test(protocol) && href.length <= LONGEST.url ? href : null;
}

type Linked = Readonly<Record<string, unknown>>;

/** The first described thing of the page that has a name. */
function linkedData(scripts: readonly string[]): Linked {
  for (const script of scripts) {
    const found = things(script).find((thing) => 'headline' in thing || 'name' in thing);
    if (found) return found;
  }
  return {};
}

function things(json: string): Linked[] {
  try {
    const value = JSON.parse(json) as unknown;
    const graph = isThing(value) && Array.isArray(value['@graph']) ? value['@graph'] : value;
    return [graph].flat().filter(isThing);
  } catch {
    return [];
  }
}

const isThing = (value: unknown): value is Linked => typeof value === 'object' && value !== null && !Array.isArray(value);

function textIn(linked: Linked, ...names: readonly string[]): string | null {
  const found = names.map((name) => linked[name]).find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? found : null;
}

function imageIn({ image }: Linked): string | null {
  const [first] = [image].flat();
  if (typeof first === 'string') return first;
  return isThing(first) && typeof first.url === 'string' ? first.url : null;
}
