// A site and a source on loopback whose every answer is as large as it may be, in one of the shapes.
import { once } from 'node:events';
import { createServer } from 'node:http';

const MIB = 1024 * 1024;
/** What a crawl takes of each, and a sync of one page. */
const PAGE = 5 * MIB - 1024;
const ROBOTS = 512 * 1024 - 1024;
const SITEMAP = 20 * MIB;
const ROWS_PAGE = 20 * MIB - 1024;
const LONGEST_ADDRESS = 2_000;
const ROW = 16_000;

/** No more of a page, a list of rules or rows than that, however large the files of a run are. */
const upTo = (most, size) => Math.min(most, size);

const page = (body, links = []) =>
  `<!doctype html><html><head><title>Harbour</title></head><body><main>${body}${links.map((link) => `<a href="${link}">x</a>`).join('')}</main></body></html>`;
const KEEPER = '<p>The keeper of the harbour writes down every evening which boats came in, and who paid for the berth.</p>';
const address = (text) => encodeURI(text.toWellFormed()).slice(0, LONGEST_ADDRESS).replace(/%.?$/, '');

/** As many of them as fit into so many bytes. */
function many(bytes, make) {
  const all = [];
  for (let n = 0, size = 0; size < bytes; n++) {
    all.push(make(n));
    size += Buffer.byteLength(JSON.stringify(all.at(-1)));
  }
  return all;
}

/** What a site says at its addresses, in about `size` bytes; what it does not say is missing. */
export const SITES = {
  page: (shape, salt, _, size = PAGE) => ({ '/': page(KEEPER + shape.text(upTo(PAGE, size) - KEEPER.length - 200, salt)) }),
  links: (shape, salt, _, size = PAGE) => ({
    '/': page(
      KEEPER,
      many(upTo(PAGE, size), (n) => `/${address(shape.text(LONGEST_ADDRESS / 4, salt + n))}`),
    ),
  }),
  title: (shape, salt, _, size = PAGE) => ({ '/': page(KEEPER).replace('Harbour', shape.text(upTo(PAGE, size) - 1024, salt)) }),
  robots: (shape, salt) => ({
    '/': page(
      KEEPER,
      Array.from({ length: 50 }, (_, n) => `/${address(shape.text(1_000, n))}`),
    ),
    '/robots.txt': `User-agent: *\n${many(ROBOTS, (n) => `Disallow: /${oneLine(shape.text(200, salt + n))}*${n}\n`).join('')}`.slice(
      0,
      ROBOTS,
    ),
  }),
  'raw robots': (shape, salt) => ({ '/': page(KEEPER), '/robots.txt': `User-agent: *\n${shape.text(ROBOTS / 3, salt)}` }),
  sitemap: (shape, salt, origin, size = SITEMAP) => ({
    '/': page(KEEPER),
    '/robots.txt': `User-agent: *\nSitemap: ${origin}/sitemap.xml\n`,
    '/sitemap.xml': `<urlset>${many(upTo(SITEMAP, size), (n) => `<url><loc>${origin}/${address(shape.text(500, salt + n)).replaceAll('&', '&amp;')}</loc></url>`).join('')}</urlset>`,
  }),
  'raw sitemap': (shape, salt, origin, size = SITEMAP) => ({
    '/': page(KEEPER),
    '/robots.txt': `User-agent: *\nSitemap: ${origin}/sitemap.xml\n`,
    '/sitemap.xml': `<urlset><url><loc>${shape.text(upTo(SITEMAP, size) / 2, salt)}</loc></url></urlset>`,
  }),
};

/** Rows as a source answers them: in pieces of text, as values of the shape, as a table. */
export const ROWS = {
  texts: (shape, salt, size = ROWS_PAGE) => ({
    '/rows': {
      items: many(upTo(ROWS_PAGE, size) * 0.95, (n) => shape.text(ROW, salt + n)).map((body, n) => ({
        id: `row-${n}`,
        title: `Row ${n}`,
        body,
      })),
    },
  }),
  values: (shape, salt, size = ROWS_PAGE) => ({
    '/rows': { items: [{ id: 'row', title: 'Row', body: 'x', more: shape.json(upTo(ROWS_PAGE, size), salt) }] },
  }),
  'raw json': (shape, salt, size = ROWS_PAGE) => ({ '/rows': `{"items":[${shape.text(upTo(ROWS_PAGE, size) / 3, salt)}` }),
  table: (shape, salt, size = ROWS_PAGE) => ({
    '/rows': `id,title,body\n${many(upTo(ROWS_PAGE, size) * 0.95, (n) => shape.text(ROW, salt + n))
      .map((body, n) => `row-${n},Row ${n},"${body.replaceAll('"', '""')}"`)
      .join('\n')}`,
  }),
};

const oneLine = (text) => text.replace(/[\r\n]/g, ' ');

/** Answers what `pages(origin)` says; `{ origin, close }`. */
export async function siteOf(pages) {
  const said = {};
  const server = createServer(({ url }, response) => {
    const content = said[url];
    if (content === undefined) return response.writeHead(404).end();
    const type = typeOf(url, content);
    response.writeHead(200, { 'content-type': type }).end(typeof content === 'string' ? content.toWellFormed() : JSON.stringify(content));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  Object.assign(said, pages(origin));
  return {
    origin,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function typeOf(url, content) {
  if (url === '/') return 'text/html; charset=utf-8';
  if (typeof content !== 'string') return 'application/json';
  return url.endsWith('.xml') ? 'application/xml' : 'text/plain; charset=utf-8';
}
