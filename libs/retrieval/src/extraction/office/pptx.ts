import { mainPart, relationshipsOf, readXml, damagedFile, type Package, type Relationship } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { foundBy, resultOf } from '../extraction-result';
import { MarkdownWriter } from '../text/markdown-writer';
import { escapeMarkdown } from '../text/markdown-syntax';
import { FIGURES, figureWords } from './figure-words';
import { officeFacts, openOffice, partKey } from './office-package';
import { readSlide, type Slide } from './slide';
import { sourceWords } from './source-words';

const ENGINE = 'pptx/2';
const WHAT = 'presentation';
const MOST_FIGURES = 500;

interface Deck {
  readonly pack: Package;
  /** Parts of figures whose words were written: slides may share one. */
  readonly figures: Set<string>;
}

/** The slides of a presentation in their order: title, shapes, tables and speaker notes. */
export async function extractPptx({ path, limits }: ExtractionTask): Promise<ExtractedText> {
  const pack = await openOffice(path, WHAT, limits.maxUnpackedBytes);
  try {
    const slides = await slideParts(pack);
    const writer = new MarkdownWriter(limits.maxMarkdown);
    const deck = { pack, figures: new Set<string>() };
    for (const [at, part] of slides.slice(0, limits.maxPages).entries()) {
      if (writer.full) break;
      await writeSlide(writer, deck, part, at + 1);
    }
    const { metadata } = await officeFacts(pack, WHAT);
    const found = foundBy(writer);
    return resultOf({
      ...found,
      engine: ENGINE,
      pages: slides.length,
      truncated: found.truncated || slides.length > limits.maxPages,
      metadata,
      source: await sourceWords(pack, [...slides, ...(await figuresOf(pack, slides.slice(0, limits.maxPages)))]),
      whenEmpty: 'The presentation contains no text, only pictures.',
    });
  } finally {
    pack.close();
  }
}

async function slideParts(pack: Package): Promise<string[]> {
  const main = await mainPart(pack, WHAT);
  if (main === undefined || !pack.has(main)) throw damagedFile(WHAT);
  const parts = new Map((await relationshipsOf(pack, main, WHAT)).map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  await readXml(
    await pack.stream(main),
    {
      open(element) {
        const part = element.name === 'sldId' ? parts.get(element.reference('id') ?? '') : undefined;
        if (part !== undefined && pack.has(part)) slides.push(part);
      },
    },
    WHAT,
  );
  return slides;
}

async function writeSlide(writer: MarkdownWriter, deck: Deck, part: string, page: number): Promise<void> {
  const { pack } = deck;
  const slide = await readSlide(pack, part, WHAT);
  const related = (await relationshipsOf(pack, part, WHAT)).filter(({ external }) => !external);
  const notes = related.find(({ kind }) => kind === 'notesSlide')?.target;
  const spoken = notes !== undefined && pack.has(notes) ? await readSlide(pack, notes, WHAT) : undefined;
  const blocks = [...(await withFigures(deck, slide, related)), ...notesOf(spoken)];
  writer.beginPage(page);
  if (slide.title === '' && blocks.length === 0) return;
  writer.heading(2, `${slide.title === '' ? `Slide ${page}` : slide.title}${slide.hidden ? ' (hidden slide)' : ''}`);
  for (const block of blocks) writer.block(block);
}

/** The blocks of a slide, with the words of its charts and SmartArt in their places. */
async function withFigures(
  { pack, figures: written }: Deck,
  { blocks, figures }: Slide,
  related: readonly Relationship[],
): Promise<string[]> {
  const parts = new Map(related.filter(({ kind }) => FIGURES.has(kind)).map(({ id, target }) => [id, partKey(target)]));
  const all: string[] = [];
  let from = 0;
  for (const { id, at } of figures) {
    // One by one: there may be more than a call takes arguments.
    for (; from < at; from++) all.push(blocks[from] ?? '');
    const part = parts.get(id);
    if (part === undefined || written.has(part) || written.size >= MOST_FIGURES || !pack.has(part)) continue;
    written.add(part);
    const words = await figureWords(pack, part, WHAT);
    if (words.length > 0) all.push(words.map((line) => `- ${escapeMarkdown(line)}`).join('\n'));
  }
  return [...all, ...blocks.slice(from)];
}

async function figuresOf(pack: Package, slides: readonly string[]): Promise<string[]> {
  const parts = new Set<string>();
  for (const slide of slides) {
    for (const { kind, target, external } of await relationshipsOf(pack, slide, WHAT))
      if (!external && FIGURES.has(kind)) parts.add(partKey(target));
  }
  return [...parts];
}

/** What the speaker wrote; the picture of the slide, its number and date are no notes. */
function notesOf(spoken: Slide | undefined): string[] {
  const text = spoken?.body.join('\n').trim() ?? '';
  return text === '' ? [] : [`**Notes:** ${escapeMarkdown(text)}`];
}
