import { mainPart, relationshipsOf, readXml, damaged, type Package } from '@atrium/platform/tabular';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { foundBy, resultOf } from '../extraction-result';
import { MarkdownWriter } from '../text/markdown-writer';
import { escapeMarkdown } from '../text/markdown-syntax';
import { officeFacts, openOffice } from './office-package';
import { sourceWords } from './source-words';
import { readSlide, type Slide } from './slide';

const ENGINE = 'pptx/1';
const WHAT = 'presentation';

/** The slides of a presentation in their order: title, shapes, tables and speaker notes. */
export async function extractPptx({ path, limits }: ExtractionTask): Promise<ExtractedText> {
  const pack = await openOffice(path, WHAT, limits.maxUnpackedBytes);
  try {
    const slides = await slideParts(pack);
    const writer = new MarkdownWriter(limits.maxMarkdown);
    for (const [at, part] of slides.slice(0, limits.maxPages).entries()) {
      if (writer.full) break;
      await writeSlide(writer, pack, part, at + 1);
    }
    const { metadata } = await officeFacts(pack, WHAT);
    const found = foundBy(writer);
    return resultOf({
      ...found,
      engine: ENGINE,
      pages: slides.length,
      truncated: found.truncated || slides.length > limits.maxPages,
      metadata,
      source: await sourceWords(pack, slides),
      whenEmpty: 'The presentation holds no text, only pictures.',
    });
  } finally {
    pack.close();
  }
}

async function slideParts(pack: Package): Promise<string[]> {
  const main = await mainPart(pack, WHAT);
  if (main === undefined || !pack.has(main)) throw damaged(WHAT);
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

async function writeSlide(writer: MarkdownWriter, pack: Package, part: string, page: number): Promise<void> {
  const slide = await readSlide(pack, part, WHAT);
  const notes = (await relationshipsOf(pack, part, WHAT)).find(({ kind, external }) => kind === 'notesSlide' && !external)?.target;
  const spoken = notes !== undefined && pack.has(notes) ? await readSlide(pack, notes, WHAT) : undefined;
  const blocks = [...slide.blocks, ...notesOf(spoken)];
  writer.beginPage(page);
  if (slide.title === '' && blocks.length === 0) return;
  writer.heading(2, `${slide.title === '' ? `Slide ${page}` : slide.title}${slide.hidden ? ' (hidden slide)' : ''}`);
  for (const block of blocks) writer.block(block);
}

/** What the speaker wrote; the picture of the slide, its number and date are no notes. */
function notesOf(spoken: Slide | undefined): string[] {
  const text = spoken?.body.join('\n').trim() ?? '';
  return text === '' ? [] : [`**Notes:** ${escapeMarkdown(text)}`];
}
