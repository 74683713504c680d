import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { blocksHtml, imageHtml, text, type Picture } from './page-html';

interface Locale {
  readonly code: string;
  readonly name: string;
  readonly prefix: string;
}

interface TreeNode {
  readonly node_id: string;
  readonly kind: string;
  readonly name: string;
  readonly path: string | null;
  readonly link: { readonly url?: string | null } | null;
  readonly children: readonly TreeNode[];
}

/** A page as delivery returns it. */
interface DeliveredPage {
  readonly node_id: string;
  readonly locale: string;
  readonly path: string;
  readonly name: string;
  readonly template: string;
  readonly content: { readonly title?: string; readonly [key: string]: unknown };
  readonly seo: { readonly title?: string; readonly description?: string };
  readonly alternates: readonly { readonly locale: string; readonly path: string }[];
  readonly breadcrumbs: readonly { readonly node_id: string; readonly name: string; readonly path: string | null }[];
}

/** Few, so that a site of ten pages takes several requests. */
const AT_A_TIME = 4;

const STYLE = `body{margin:0;font:17px/1.55 system-ui,sans-serif;color:#1d2733;background:#fbfaf7}
header,main,footer{max-width:900px;margin:0 auto;padding:16px 24px}
header{display:flex;gap:24px;align-items:center;border-bottom:1px solid #ddd6c8}nav ul{display:flex;gap:16px;list-style:none;margin:0;padding:0}
nav ul ul{display:none}header .languages{margin-left:auto}a{color:#8a4b08}[aria-current]{font-weight:600;color:#1d2733;text-decoration:none}
img{max-width:100%;height:auto;border-radius:6px}.hero{padding:24px 0}.hero h1{font-size:40px;line-height:1.15;margin:12px 0}.crumbs{font-size:14px;color:#6b6558}
.gallery{display:grid;grid-template-columns:repeat(2,1fr);gap:12px}blockquote{border-left:4px solid #d9a441;margin:24px 0;padding:4px 20px}
.cta{background:#f2e6cf;padding:20px 24px;border-radius:8px;margin:24px 0}.button{display:inline-block;background:#8a4b08;color:#fff;padding:8px 16px;border-radius:6px;text-decoration:none}
table{border-collapse:collapse}td,th{border:1px solid #ddd6c8;padding:6px 12px;text-align:left}`;

/** A static site that is generated from what delivery gives to everyone, and from nothing else. */
export class StaticSite {
  private constructor(
    private readonly delivery: string,
    readonly locales: readonly Locale[],
    private readonly folder: string,
    private readonly token: string | undefined,
  ) {}

  /** Generates the site into a folder; with the token of a preview link, pages of its draft. */
  static async open(delivery: string, folder: string, token?: string): Promise<StaticSite> {
    const { locales } = await read<{ locales: readonly Locale[] }>(delivery);
    return new StaticSite(delivery, locales, folder, token);
  }

  /** All pages of all locales; answers their paths. */
  async writeSite(): Promise<readonly string[]> {
    const paths: string[] = [];
    for (const { code } of this.locales) {
      const listed = await this.listPages(code);
      for (const { path } of listed) await this.writePage(path, listed);
      paths.push(...listed.map(({ path }) => path));
    }
    return paths;
  }

  /** One page, with the menu that names those that are listed. */
  async writePage(path: string, listed: readonly DeliveredPage[] = []): Promise<void> {
    const draft = this.token === undefined ? '' : '&version=draft';
    const page = await read<DeliveredPage>(`${this.delivery}/page?path=${encodeURIComponent(path)}&rich=html${draft}`, this.token);
    const { tree } = await read<{ tree: readonly TreeNode[] }>(`${this.delivery}/tree?locale=${page.locale}`);
    const folder = join(this.folder, path);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'index.html'), this.html(page, tree, new Map(listed.map((one) => [one.node_id, titleOf(one)]))));
  }

  async listPages(locale: string): Promise<readonly DeliveredPage[]> {
    const pages: DeliveredPage[] = [];
    for (let cursor = ''; ;) {
      const { data, next_cursor } = await read<{ data: readonly DeliveredPage[]; next_cursor: string | null }>(
        `${this.delivery}/pages?locale=${locale}&sort=name&limit=${AT_A_TIME}${cursor}`,
      );
      pages.push(...data);
      if (next_cursor === null) return pages;
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    }
  }

  /** Serves the folder on a port of its own; whatever is missing is a 404. */
  async serve(): Promise<{ readonly origin: string; readonly server: Server }> {
    const server = createServer((request, response) => {
      const path = normalize(decodeURIComponent((request.url ?? '/').split('?', 1)[0] ?? '/'));
      readFile(join(this.folder, path, 'index.html')).then(
        (html) => response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  }

  private html(page: DeliveredPage, tree: readonly TreeNode[], titles: ReadonlyMap<string, string>): string {
    const { locale, path, seo, alternates, breadcrumbs, content } = page;
    const menu = (nodes: readonly TreeNode[]): string =>
      nodes.length === 0 ? '' : `<ul>${nodes.map((node) => `<li>${entry(node)}${menu(node.children)}</li>`).join('')}</ul>`;
    const entry = ({ node_id, name, path: at, link }: TreeNode): string => {
      const label = text(titles.get(node_id) ?? name);
      const target = at ?? link?.url ?? null;
      return target === null ? label : `<a href="${text(target)}"${target === path ? ' aria-current="page"' : ''}>${label}</a>`;
    };
    const languages = alternates.map(
      (other) =>
        `<a href="${text(other.path)}" hreflang="${other.locale}"${other.locale === locale ? ' aria-current="true"' : ''}>${text(this.nameOf(other.locale))}</a>`,
    );
    const crumbs = breadcrumbs.map((crumb) => {
      const label = text(titles.get(crumb.node_id) ?? crumb.name);
      return crumb.path === null ? label : `<a href="${text(crumb.path)}">${label}</a>`;
    });
    return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${text(seo.title ?? titleOf(page))}</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="${text(seo.description ?? '')}"><link rel="icon" href="data:,">
${alternates.map((other) => `<link rel="alternate" hreflang="${other.locale}" href="${text(other.path)}">`).join('')}<style>${STYLE}</style></head>
<body><header><nav>${menu(tree)}</nav><p class="languages">${languages.join(' · ')}</p></header>
<main><p class="crumbs">${[...crumbs, text(titleOf(page))].join(' › ')}</p>${this.main(content)}</main><footer>${text(titleOf(page))}</footer></body></html>`;
  }

  private main(content: DeliveredPage['content']): string {
    const { title, teaser, image, date, author, body, related } = content as Record<string, unknown>;
    const isArticle = typeof teaser === 'string';
    const pages = Array.isArray(related)
      ? (related as { url: string | null; name: string | null }[]).filter(({ url }) => url !== null)
      : [];
    return [
      `<h1${hasHero(body) ? ' hidden' : ''}>${text(title)}</h1>`,
      isArticle ? `<p><time datetime="${text(date)}">${text(date)}</time> · ${text(author)}</p><p><em>${text(teaser)}</em></p>` : '',
      image ? imageHtml(image as Picture, 'large') : '',
      blocksHtml(body),
      pages.length > 0
        ? `<ul class="related">${pages.map(({ url, name }) => `<li><a href="${text(url)}">${text(name)}</a></li>`).join('')}</ul>`
        : '',
    ].join('\n');
  }

  private nameOf(locale: string): string {
    return this.locales.find(({ code }) => code === locale)?.name ?? locale;
  }
}

const titleOf = ({ content, name }: DeliveredPage): string => content.title ?? name;
const hasHero = (body: unknown): boolean => Array.isArray(body) && (body as { component: string }[])[0]?.component === 'hero';

/** What delivery answers to a front end, which has no credentials. */
async function read<T>(url: string, token?: string): Promise<T> {
  const answer = await fetch(url, { headers: token === undefined ? {} : { 'X-Site-Token': token } });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
