import { Injectable } from '@nestjs/common';
import { SeenUses } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { idsIn, levelOf } from '../domain/lineage';
import { TermsRepository, type TermRow, type TermStep } from '../infrastructure/terms.repository';

/** A term as clients see it. */
export type TermAnswer<R extends TermRow = TermRow> = Omit<R, 'term_lineage'> & {
  readonly term_path: readonly TermStep[];
  readonly term_depth: number;
  readonly term_use_count: number;
  readonly term_use_count_exact: boolean;
};

/** Uses that are counted for one term: reading a page stays bounded however often its terms are used. */
const MOST_COUNTED = 1_000;
const MOST_COUNTED_OF_ONE = 10_000;

/** Completes rows of terms: the terms above them and how often the caller sees them used, a constant number of statements for all rows. */
@Injectable()
export class TermAnswers {
  constructor(
    private readonly terms: TermsRepository,
    private readonly uses: SeenUses,
  ) {}

  async of<R extends TermRow>(caller: Principal, rows: readonly R[]): Promise<TermAnswer<R>[]> {
    const most = rows.length === 1 ? MOST_COUNTED_OF_ONE : MOST_COUNTED;
    const names = await this.terms.namesAbove(rows.map(({ term_lineage }) => term_lineage));
    const uses = await this.uses.of(
      caller,
      'taxonomy',
      rows.map(({ term_id }) => term_id),
      most + 1,
    );
    return rows.map(({ term_lineage, ...row }) => {
      const count = uses.get(row.term_id) ?? 0;
      return {
        ...row,
        term_path: idsIn(term_lineage)
          .slice(0, -1)
          .map((term_id) => ({ term_id, term_name: names.get(term_id) ?? '' })),
        term_depth: levelOf(term_lineage),
        term_use_count: Math.min(count, most),
        term_use_count_exact: count <= most,
      };
    });
  }
}
