import { readFile } from 'node:fs/promises';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { resultOf } from '../extraction-result';
import { markdownOfHtml } from '../html/markdown-of-html';
import { cleanText } from '../text/clean-text';
import { outlineOf } from '../text/markdown-outline';
import { cutText } from '../text/markdown-writer';
import { RtfText } from './rtf-text';
import { readRtf } from './rtf-tokens';
import { wordsOfRtf } from './rtf-words';

const ENGINE = 'rtf/1';
const NOTES = /^footnote-\d+$/;

export interface RichText {
  readonly markdown: string;
  readonly truncated: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A rich text: headings, lists, tables, notes and links; deleted and hidden text is left out. */
export async function extractRtf({ path, limits }: ExtractionTask): Promise<ExtractedText> {
  const bytes = await readFile(path);
  const { markdown, truncated, metadata } = await markdownOfRtf(bytes, limits.maxMarkdown);
  const whenEmpty = 'The document contains no text, only pictures.';
  return resultOf({ engine: ENGINE, markdown, outline: outlineOf(markdown), truncated, metadata, whenEmpty, source: wordsOfRtf(bytes) });
}

export async function markdownOfRtf(bytes: Buffer, most: number): Promise<RichText> {
  const text = new RtfText(most * 2);
  readRtf(bytes, text);
  const whole = cleanText(await markdownOfHtml(text.end(), { cellBreak: '<br>', notes: NOTES }));
  const isLong = whole.length > most;
  const metadata = Object.fromEntries(Object.entries(text.metadata).flatMap(([key, value]) => (value.trim() ? [[key, value.trim()]] : [])));
  return { markdown: isLong ? cutText(whole, most) : whole, truncated: text.done || isLong, metadata };
}
