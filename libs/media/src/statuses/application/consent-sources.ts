import { Injectable } from '@nestjs/common';
import { join, sql, type Sql } from '@atrium/platform/database';
import type { ConsentPlace, EndedConsent } from '../domain/consent';

/** Names nobody: its readers may not know of the person. */
export const CONSENT_ISSUE = 'The file shows a person who has not agreed to be shown, or whose consent has ended.';

/** Consents that end by themselves, one after the other by the moment they do. */
export interface EndingConsents {
  /** Names them among others, for good. */
  readonly source: string;
  /** The next files behind a place that show somebody whose consent ended until then, some of one person at a time; null when there are no more. Within a unit of work. */
  findNext(after: ConsentPlace | null, until: Date, most: number): Promise<EndedConsent | null>;
}

/** Port of the context areas that know whether people agreed to be shown: each registers one at start. */
export interface ConsentSource {
  /** Files among these that show somebody who did not agree, or at this moment no longer does, with a sentence that names nobody; within a unit of work. */
  findIssues(file_ids: readonly string[], at: Date): Promise<ReadonlyMap<string, string>>;
  /** Where consents end by themselves. */
  readonly ending?: EndingConsents;
  /** Condition on `r` (a row of `file`) that is true for such files, and never null. */
  issueCondition(): Sql;
}

/** Sources that know whether a picture may be shown. Without a source nothing is withheld. */
@Injectable()
export class ConsentSources {
  private readonly sources: ConsentSource[] = [];

  register(source: ConsentSource): void {
    this.sources.push(source);
  }

  async findIssues(file_ids: readonly string[], at: Date): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const source of file_ids.length > 0 ? this.sources : [])
      for (const [file_id, reason] of await source.findIssues(file_ids, at)) found.set(file_id, found.get(file_id) ?? reason);
    return found;
  }

  listEnding(): EndingConsents[] {
    return this.sources.flatMap(({ ending }) => ending ?? []);
  }

  /** Whether a row `r` of `file` has such an issue: what `has_consent_issue` asks for. */
  issueCondition(): Sql {
    return this.sources.length === 0
      ? sql`false`
      : sql`(${join(
          this.sources.map((source) => source.issueCondition()),
          ' OR ',
        )})`;
  }
}
