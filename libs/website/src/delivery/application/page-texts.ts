import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';

/** What texts of one process take in memory. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Answers that were rendered lately, by their tag: a tag names all that an answer depends on, so that none is ever out of date. */
@Injectable()
export class PageTexts {
  private readonly texts = new LRUCache<string, string>({ maxSize: MOST_BYTES, sizeCalculation: (text) => text.length * 2 + 1 });

  findText(tag: string): string | undefined {
    return this.texts.get(tag);
  }

  keepText(tag: string, text: string): void {
    this.texts.set(tag, text);
  }
}

/** The tag of an answer: a digest of all that it depends on. */
export const tagOf = (facts: unknown): string => createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 32);
