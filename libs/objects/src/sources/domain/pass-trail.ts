import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { createHash } from 'node:crypto';
import type { SourcePage } from './source-port';

export const MOST_PAGES = 100_000;
export const MOST_ROWS = 1_000_000;

/** Where a pass has been: a source that leads it in circles, or on without an end, is stopped. */
export class PassTrail {
  private readonly visited = new Set<string>();
  private before: string | undefined;

  constructor(
    private pages = 0,
    private rows = 0,
  ) {}

  /** Throws where the pass must not go on. */
  recordPage({ cursor, rows }: SourcePage): void {
    const place = digestOf(cursor);
    if (this.visited.has(place)) throw stopped('The source returns the same page twice. Check its pagination.');
    this.visited.add(place);
    const said = rows.length > 0 ? digestOf(rows) : undefined;
    if (said !== undefined && said === this.before) throw stopped('The source returns the same rows for two pages. Check its pagination.');
    this.before = said;
    this.pages += 1;
    this.rows += rows.length;
    if (this.pages > MOST_PAGES) throw stopped(`The source has more than ${MOST_PAGES.toLocaleString('en-US')} pages.`);
    if (this.rows > MOST_ROWS)
      throw stopped(`The source has more than ${MOST_ROWS.toLocaleString('en-US')} rows, which is the limit of one run.`);
  }
}

const stopped = (sentence: string): Problem => new Problem('unprocessable_content', sentence);

const digestOf = (value: JsonObject | readonly unknown[]): string => createHash('sha256').update(JSON.stringify(value)).digest('base64');
