import type { CheerioAPI } from 'cheerio' with { 'resolution-mode': 'import' };

/** What says in words what a box beside it stands for. */
const LABELLED = /^(?:li|label|p|dd|dt)$/;
const BOX = /^(?:checkbox|radio)$/i;

/** Writes ticks as signs where words are beside them; a box alone, as behind a menu, is no text. */
export function writeTicks($: CheerioAPI): void {
  const labels = new Set<string>();
  $('label[for]').each((_, label) => {
    if ($(label).text().trim() !== '') labels.add(label.attribs['for'] ?? '');
  });
  $('input').each((_, box) => {
    const { attribs, parent } = box;
    if (!BOX.test(attribs['type'] ?? '')) return;
    const isLabelled = (parent !== null && 'name' in parent && LABELLED.test(parent.name)) || labels.has(attribs['id'] ?? '');
    if (isLabelled) $(box).replaceWith(attribs['checked'] === undefined ? '[ ] ' : '[x] ');
  });
}
