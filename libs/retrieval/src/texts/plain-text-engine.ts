import { readFile, stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { ExtractedText, ExtractionTask } from '../extraction/extracted-text';
import { TextEngine } from './text-engine';

const ENGINE = 'plain/1';
const TYPES = new Set(['text/plain', 'text/markdown']);

/** Reads what is text already. */
@Injectable()
export class PlainTextEngine extends TextEngine {
  async extract({ path, type, limits }: ExtractionTask): Promise<ExtractedText> {
    if (!TYPES.has(type)) return nothing('unsupported', 'Files of this kind are not read for their text.');
    if ((await stat(path)).size > limits.maxFileBytes) return nothing('unsupported', 'The file is larger than what is read for its text.');
    const whole = (await readFile(path, 'utf8'))
      .replaceAll('\r\n', '\n')
      .replaceAll('\0', '')
      .replace(/\p{Surrogate}/gu, '\ufffd');
    const markdown = whole.slice(0, limits.maxMarkdown);
    if (markdown.trim() === '') return nothing('empty', 'The file holds no text.');
    const words = markdown.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
    return { ...nothing('ready', null), markdown, words, truncated: markdown.length < whole.length };
  }
}

const nothing = (status: ExtractedText['status'], reason: string | null): ExtractedText => ({
  status,
  reason,
  markdown: '',
  outline: [],
  page_map: [],
  pages: null,
  words: 0,
  truncated: false,
  metadata: {},
  engine: ENGINE,
});
