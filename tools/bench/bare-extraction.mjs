// What the extraction of text is compared with: the libraries alone, one file after the other. Answers a path with its text's length.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

const require = createRequire(import.meta.url);
const READERS = { '.pdf': pdf, '.docx': docx, '.html': html };

process.on('message', (path) => {
  READERS[extname(path).toLowerCase()](path).then(
    (text) => process.send({ length: text.length }),
    (error) => process.send({ error: String(error) }),
  );
});

async function pdf(path) {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const parts = dirname(require.resolve('pdfjs-dist/package.json'));
  const task = getDocument({
    data: new Uint8Array(await readFile(path)),
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
    standardFontDataUrl: `${join(parts, 'standard_fonts')}/`,
    cMapUrl: `${join(parts, 'cmaps')}/`,
    cMapPacked: true,
    wasmUrl: `${join(parts, 'wasm')}/`,
  });
  try {
    const document = await task.promise;
    let text = '';
    for (let at = 1; at <= document.numPages; at++) {
      const { items } = await (await document.getPage(at)).getTextContent();
      text += items.map((item) => item.str).join(' ');
    }
    return text;
  } finally {
    await task.destroy();
  }
}

async function docx(path) {
  const { default: mammoth } = await import('mammoth');
  const { value } = await mammoth.convertToHtml({ path }, { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) });
  return (await turndown()).turndown(value);
}

async function html(path) {
  const [{ parseHTML }, { Readability }] = [await import('linkedom'), await import('@mozilla/readability')];
  const page = await readFile(path, 'utf8');
  const { document } = parseHTML(page);
  const article = new Readability(document).parse();
  return (await turndown()).turndown(article?.content ?? page);
}

let service;
async function turndown() {
  if (service) return service;
  const [{ default: TurndownService }, { gfm }] = [await import('turndown'), await import('@joplin/turndown-plugin-gfm')];
  service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  service.use(gfm);
  return service;
}
