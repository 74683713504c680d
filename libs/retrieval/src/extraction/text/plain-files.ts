import type { ExtractedText, ExtractionLimits } from '../extracted-text';
import { resultOf } from '../extraction-result';
import { captionText } from './captions';
import { cleanText } from './clean-text';
import { decodedFile, type DecodedFile, type FileToDecode } from './decoded-file';
import { frontMatterOf } from './front-matter';
import { outlineOf } from './markdown-outline';
import { cutText } from './markdown-writer';
import { fencedText } from './markdown-syntax';
import { withoutHtml } from './without-html';

/** Kinds of text: `code` is fenced under the name of its language. */
export type TextKind = { readonly kind: 'markdown' | 'plain' | 'captions' } | { readonly kind: 'code'; readonly language: string };

const EMPTY = 'The file is empty.';

/** A file of text, decoded: markdown as it is but for its HTML, captions with their times, code and data in a fence. */
export async function extractText(path: string, kind: TextKind, limits: ExtractionLimits): Promise<ExtractedText> {
  const { text, truncated, guessed } = await textOfFile(path, { most: limits.maxMarkdown, labelled: kind.kind === 'code' });
  const { markdown, metadata = {} } = await markdownOf(text, kind);
  const outline = kind.kind === 'markdown' ? outlineOf(markdown) : [];
  const engine = `${kind.kind}/1`;
  return resultOf({ engine, markdown, outline, truncated, metadata, guessed, whenEmpty: EMPTY });
}

async function markdownOf(text: string, kind: TextKind): Promise<{ markdown: string; metadata?: Record<string, string> }> {
  if (kind.kind === 'captions') return { markdown: captionText(text) };
  if (kind.kind === 'code') return { markdown: text.trim() === '' ? '' : fencedText(text, kind.language) };
  if (kind.kind === 'plain') return { markdown: text.trim() };
  const { body, metadata } = frontMatterOf(text);
  return { markdown: (await withoutHtml(body)).trim(), metadata };
}

/** The text of a file up to a length, whatever it is encoded in. */
async function textOfFile(path: string, order: FileToDecode): Promise<DecodedFile> {
  const { text, truncated, guessed } = await decodedFile(path, order);
  return { text: truncated ? cutText(text, order.most) : cleanText(text), truncated, guessed };
}
