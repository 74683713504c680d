import { Injectable } from '@nestjs/common';
import { join, sql, type Sql } from '@atrium/platform/database';
import type { EndedConsent } from '../domain/consent';

/** Names nobody: whoever reads it may not know of the person. */
export const CONSENT_ISSUE = 'The file shows a person who has not agreed to be shown, or whose consent has ended.';

/** Port of the context areas that know whether people agreed to be shown: each registers one at start. */
export interface ConsentSource {
  /** Files among these that show somebody who did not agree, or no longer does, with a sentence that names nobody; within a unit of work. */
  issues(file_ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Files that show somebody whose consent ended within this time, by the moment it did; within a unit of work. */
  ended?(from: Date, to: Date): Promise<readonly EndedConsent[]>;
  /** Condition on `r` (a row of `file`) that is true for such files, and never null. */
  condition(): Sql;
}

/** Whoever can tell that a picture must not be shown without asking. Without a source nothing is in the way. */
@Injectable()
export class ConsentSources {
  private readonly sources: ConsentSource[] = [];

  register(source: ConsentSource): void {
    this.sources.push(source);
  }

  async issues(file_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const source of file_ids.length > 0 ? this.sources : []) for (const [file_id, reason] of await source.issues(file_ids)) found.set(file_id, found.get(file_id) ?? reason);
    return found;
  }

  async ended(from: Date, to: Date): Promise<EndedConsent[]> {
    const ended: EndedConsent[] = [];
    for (const source of this.sources) ended.push(...((await source.ended?.(from, to)) ?? []));
    return ended;
  }

  /** Whether a row `r` of `file` has such an issue: what `has_consent_issue` asks for. */
  condition(): Sql {
    return this.sources.length === 0 ? sql`false` : sql`(${join(this.sources.map((source) => source.condition()), ' OR ')})`;
  }
}
