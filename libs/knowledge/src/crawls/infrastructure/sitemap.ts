import { readXml } from '@atrium/platform/tabular';

/** Addresses that all sitemaps of a site may name together. */
export const MOST_SITEMAP_URLS = 50_000;

/** What one sitemap names: pages, or further sitemaps where it is an index. */
export interface Sitemap {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
}

/** Reads a sitemap or an index of sitemaps; what is beyond `most` addresses is not read. */
export async function readSitemap(source: AsyncIterable<Uint8Array>, most: number = MOST_SITEMAP_URLS): Promise<Sitemap> {
  const pages: string[] = [];
  const sitemaps: string[] = [];
  const path: string[] = [];
  let text = '';
  await readXml(
    source,
    {
      open: ({ name }) => {
        path.push(name);
        text = '';
      },
      text: (piece) => {
        if (path.at(-1) === 'loc' && text.length <= MOST_CHARACTERS) text += piece.slice(0, MOST_CHARACTERS + 1);
      },
      close: () => {
        const [holder, name] = path.slice(-2);
        path.pop();
        if (name !== 'loc' || pages.length + sitemaps.length >= most) return;
        if (text.length > MOST_CHARACTERS) return;
        if (holder === 'url') pages.push(text.trim());
        else if (holder === 'sitemap') sitemaps.push(text.trim());
      },
    },
    'sitemap',
  );
  return { pages, sitemaps };
}

/** Of an address; a longer one is passed over. */
const MOST_CHARACTERS = 4_096;
