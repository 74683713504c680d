import { Injectable } from '@nestjs/common';
import { ReleasableFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Clock, DAY, invalidField, notFound } from '@atrium/platform/kernel';
import { PublicationsRepository } from '../infrastructure/publications.repository';

const LONGEST_DAYS = 366;
const USUAL_DAYS = 30;

export interface StatsQuery {
  readonly pub_id?: string;
  readonly from?: Date;
  readonly to?: Date;
}

interface Cell extends Record<string, unknown> {
  readonly day: string;
  readonly outcome: string;
  readonly country: string;
  readonly hits: number;
  readonly bytes: number;
}

type Counts = Readonly<Record<string, number>>;

/** One day, or all of them together; countries nobody knows are counted under `??`. */
export interface StatsLine {
  readonly hits: number;
  readonly bytes: number;
  readonly refusals: number;
  readonly refusals_by_reason: Counts;
  readonly refusals_by_country: Counts;
  readonly hits_by_country: Counts;
}

/** What the public fetched and what it was refused, by day (UTC). */
@Injectable()
export class PublicationStats {
  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly files: ReleasableFiles,
    private readonly clock: Clock,
  ) {}

  async of(
    caller: Principal,
    { pub_id, from, to }: StatsQuery,
  ): Promise<{
    readonly from: string;
    readonly to: string;
    readonly total: StatsLine;
    readonly data: readonly (StatsLine & { readonly day: string })[];
  }> {
    const until = to ?? this.clock.now();
    const since = from ?? new Date(until.getTime() - (USUAL_DAYS - 1) * DAY);
    if (since > until) throw invalidField('from', 'must not be after to', 'range');
    if (until.getTime() - since.getTime() > LONGEST_DAYS * DAY)
      throw invalidField('from', `must not span more than ${LONGEST_DAYS} days`, 'range');
    const [first, last] = [dayOf(since), dayOf(until)];
    const cells = await this.db.read(() => this.cells(caller, pub_id, first, last));
    const days = [...new Set(cells.map(({ day }) => day))].sort();
    return {
      from: first,
      to: last,
      total: lineOf(cells),
      data: days.map((day) => ({ day, ...lineOf(cells.filter((cell) => cell.day === day)) })),
    };
  }

  private async cells(caller: Principal, pub_id: string | undefined, first: string, last: string): Promise<Cell[]> {
    if (pub_id !== undefined) {
      const publication = await this.publications.find(pub_id);
      if (!publication) throw notFound('publication');
      await this.files.assertVisible(caller, { file_id: publication.pub_file, repo_type: publication.pub_repo_type });
    }
    const visible = this.files.visible(caller, { file: sql`p.pub_file`, type: sql`p.pub_repo_type` });
    return this.db.current().query<Cell>(sql`
      SELECT s.ps_day::text AS day, s.ps_outcome AS outcome, s.ps_country AS country, sum(s.ps_hits)::bigint AS hits, sum(s.ps_bytes)::bigint AS bytes
      FROM publication_stat s JOIN publication p ON p.tenant_id = s.tenant_id AND p.pub_id = s.ps_publication
      WHERE s.tenant_id = ${requireScope().tenant_id} AND s.ps_day BETWEEN ${first}::date AND ${last}::date AND (${pub_id ?? null}::uuid IS NULL OR s.ps_publication = ${pub_id ?? null}::uuid) AND ${visible}
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`);
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

function lineOf(cells: readonly Cell[]): StatsLine {
  const [hits, refusals] = [cells.filter(({ outcome }) => outcome === 'hit'), cells.filter(({ outcome }) => outcome !== 'hit')];
  return {
    hits: sum(hits),
    bytes: hits.reduce((all, { bytes }) => all + bytes, 0),
    refusals: sum(refusals),
    refusals_by_reason: by(refusals, ({ outcome }) => outcome),
    refusals_by_country: by(refusals, ({ country }) => country || '??'),
    hits_by_country: by(hits, ({ country }) => country || '??'),
  };
}

const sum = (cells: readonly Cell[]): number => cells.reduce((all, { hits }) => all + hits, 0);

function by(cells: readonly Cell[], key: (cell: Cell) => string): Counts {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(key(cell), (counts.get(key(cell)) ?? 0) + cell.hits);
  return Object.fromEntries(counts);
}
