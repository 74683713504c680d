/** A picture in delivered content. */
export interface Picture {
  readonly url: string | null;
  readonly alt?: string;
  readonly width: number | null;
  readonly height: number | null;
}

type Block = Readonly<Record<string, unknown>> & { readonly component: string };

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A value as text of HTML. */
export const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '') : '';

/** A picture in one of its renditions; in a draft, its address already has a query. */
export function imageHtml({ url, alt = '', width, height }: Picture, size: string): string {
  if (url === null) return '';
  const src = new URL(url);
  src.searchParams.set('size', size);
  return `<img src="${text(src.href)}" alt="${text(alt)}" width="${text(width)}" height="${text(height)}">`;
}

/** Blocks of the library Standard as HTML; what is none of them is left out. */
export const blocksHtml = (blocks: unknown): string =>
  Array.isArray(blocks) ? (blocks as Block[]).map((block) => (BLOCKS[block.component] ?? (() => ''))(block)).join('\n') : '';

const picture = (value: unknown, size: string): string => (value ? imageHtml(value as Picture, size) : '');
const button = ({ button: label, link }: Block): string => {
  const url = (link as { url?: string | null } | undefined)?.url;
  return typeof url === 'string' ? `<a class="button" href="${text(url)}">${text(label)}</a>` : '';
};

/** Rich text is HTML already (`rich=html`). */
const rich = (value: unknown): string => (typeof value === 'string' ? value : '');

const BLOCKS: Readonly<Record<string, (block: Block) => string>> = {
  hero: (block) =>
    `<section class="hero">${picture(block.image, 'large')}<h1>${text(block.headline)}</h1><p>${text(block.subline)}</p>${button(block)}</section>`,
  text: ({ body }) => rich(body),
  image: ({ image, caption }) => `<figure>${picture(image, 'medium')}<figcaption>${text(caption)}</figcaption></figure>`,
  gallery: ({ title, images }) =>
    `<section><h2>${text(title)}</h2><div class="gallery">${(images as Picture[]).map((one) => imageHtml(one, 'small')).join('')}</div></section>`,
  cta: (block) => `<section class="cta"><h2>${text(block.headline)}</h2><p>${text(block.text)}</p>${button(block)}</section>`,
  quote: ({ quote, person, role }) => `<blockquote><p>${text(quote)}</p><footer>${text(person)}, ${text(role)}</footer></blockquote>`,
  faq: ({ title, questions }) =>
    `<section class="faq"><h2>${text(title)}</h2>${(questions as { question: string; answer: unknown }[])
      .map(({ question, answer }) => `<h3>${text(question)}</h3>${rich(answer)}`)
      .join('')}</section>`,
};
