import { Injectable } from '@nestjs/common';
import { Database, empty, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { LinkError } from '../domain/cms-link';
import type { PageDocument } from '../../content/domain/page-document';
import type { PageAction, PageStatus, RunPage } from '../domain/run-page';
import type { PlannedPage } from '../domain/sync-plan';
import type { Verdict } from '../domain/verdict';

/** A page as the list of the CMS or the tree of the site shows it. */
export interface MetPage {
  readonly crp_external_id: string | null;
  readonly crp_node?: string | null;
  readonly crp_external_path: string | null;
  readonly crp_external_version: string | null;
  readonly crp_parent: string | null;
  readonly crp_name: string;
  readonly crp_rank: number;
  readonly crp_status?: PageStatus;
  readonly crp_verdict?: Verdict | null;
}

/** A page to be compared or moved. */
export type OpenPage = RunPage & { readonly crp_document: PageDocument | null };

export interface JudgedPage {
  readonly crp_seq: number;
  readonly crp_node: string | null;
  readonly crp_verdict: Verdict;
  readonly crp_error: LinkError | null;
  readonly crp_document: PageDocument | null;
}

export interface EndedPage {
  readonly crp_status: PageStatus;
  readonly crp_action?: PageAction;
  readonly crp_external_id?: string | null;
  readonly crp_node?: string | null;
  readonly crp_published?: boolean;
  readonly crp_error?: LinkError | null;
}

/** A page of a run as clients see it. */
export type ShownRunPage = Omit<RunPage, 'crp_parent' | 'crp_external_version'>;

/** A page as a plan shows it. */
export interface ComparedRunPage extends PlannedPage {
  readonly crp_seq: number;
}

/** What clients see of a page. */
const SHOWN = sql`p.crp_seq, p.crp_external_id, p.crp_node, p.crp_external_path, p.crp_name, p.crp_status, p.crp_action,
  p.crp_verdict, p.crp_published, p.crp_error, p.crp_finished`;
const STORED = sql`${SHOWN}, p.crp_external_version, p.crp_parent`;

/** The pages of runs: met, compared, and moved one by one. */
@Injectable()
export class RunPageRows {
  constructor(private readonly db: Database) {}

  /** Adds pages behind a number; those that the run has met already are left as they are. How many are new. */
  addPages(run: string, after: number, pages: readonly MetPage[]): Promise<number> {
    if (pages.length === 0) return Promise.resolve(0);
    return this.db.current().execute(sql`
      INSERT INTO cms_run_page (tenant_id, crp_run, crp_seq, crp_external_id, crp_node, crp_external_path, crp_external_version, crp_parent, crp_name, crp_rank, crp_status, crp_verdict)
      SELECT ${requireScope().tenant_id}, ${run}, ${after}::integer + p.at::integer, p.page ->> 'crp_external_id', (p.page ->> 'crp_node')::uuid, p.page ->> 'crp_external_path',
        p.page ->> 'crp_external_version', p.page ->> 'crp_parent', coalesce(p.page ->> 'crp_name', ''), (p.page ->> 'crp_rank')::integer,
        coalesce(p.page ->> 'crp_status', 'listed'), p.page ->> 'crp_verdict'
      FROM jsonb_array_elements(${JSON.stringify(pages)}::jsonb) WITH ORDINALITY p (page, at) ON CONFLICT DO NOTHING`);
  }

  /** The number of the last page that the run has met; 0 before the first. */
  async readLastSeq(run: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ last: number }>(sql`SELECT coalesce(max(p.crp_seq), 0) AS last FROM cms_run_page p WHERE ${ofRun(run)}`);
    return row?.last ?? 0;
  }

  /** Pages that are listed and not compared yet. */
  findListed(run: string, most: number): Promise<OpenPage[]> {
    return this.findOpen(run, sql`p.crp_status = 'listed'`, most);
  }

  /** Pages to be moved, parents before children. */
  findWaiting(run: string, most: number): Promise<OpenPage[]> {
    return this.findOpen(run, sql`p.crp_status = 'waiting'`, most);
  }

  async judgePages(run: string, pages: readonly JudgedPage[]): Promise<void> {
    if (pages.length === 0) return;
    await this.db.current().execute(sql`
      UPDATE cms_run_page p SET crp_status = 'waiting', crp_verdict = j.page ->> 'crp_verdict', crp_node = (j.page ->> 'crp_node')::uuid,
        crp_error = nullif(j.page -> 'crp_error', 'null'), crp_document = nullif(j.page -> 'crp_document', 'null')
      FROM jsonb_array_elements(${JSON.stringify(pages)}::jsonb) j (page)
      WHERE ${ofRun(run)} AND p.crp_seq = (j.page ->> 'crp_seq')::integer`);
  }

  /** Pages that are on neither side. */
  async forgetPages(run: string, seqs: readonly number[]): Promise<void> {
    if (seqs.length === 0) return;
    await this.db.current().execute(sql`DELETE FROM cms_run_page p WHERE ${ofRun(run)} AND p.crp_seq = ANY(${[...seqs]}::integer[])`);
  }

  /** The page of the CMS that a page here turned out to be, as the run has met it alone. */
  async forgetTwin(run: string, { external_id, seq }: { readonly external_id: string; readonly seq: number }): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`DELETE FROM cms_run_page p WHERE ${ofRun(run)} AND p.crp_external_id = ${external_id} AND p.crp_node IS NULL AND p.crp_seq <> ${seq}`,
      );
  }

  async countVerdicts(run: string): Promise<readonly { readonly verdict: Verdict; readonly pages: number }[]> {
    return this.db
      .current()
      .query(
        sql`SELECT p.crp_verdict AS verdict, count(*)::integer AS pages FROM cms_run_page p WHERE ${ofRun(run)} AND p.crp_status = 'waiting' GROUP BY p.crp_verdict`,
      );
  }

  /** Pages of a run by verdict, whatever has come of them. */
  async countAllVerdicts(run: string): Promise<readonly { readonly verdict: Verdict; readonly pages: number }[]> {
    return this.db
      .current()
      .query(
        sql`SELECT p.crp_verdict AS verdict, count(*)::integer AS pages FROM cms_run_page p WHERE ${ofRun(run)} AND p.crp_verdict IS NOT NULL GROUP BY p.crp_verdict`,
      );
  }

  async findNames(run: string, verdicts: readonly Verdict[], most: number): Promise<readonly string[]> {
    const rows = await this.db
      .current()
      .query<{ crp_name: string }>(
        sql`SELECT p.crp_name FROM cms_run_page p WHERE ${ofRun(run)} AND p.crp_verdict = ANY(${[...verdicts]}::text[]) ORDER BY p.crp_seq LIMIT ${most}`,
      );
    return rows.map(({ crp_name }) => crp_name);
  }

  /** What becomes of the waiting pages with a verdict. */
  async planPages(
    run: string,
    verdict: Verdict,
    { status, action, reversed }: { readonly status: PageStatus; readonly action: PageAction; readonly reversed: boolean },
  ): Promise<void> {
    const rank = reversed ? sql`, crp_rank = 1000000 - p.crp_rank` : empty;
    const ended = status === 'waiting' ? empty : sql`, crp_finished = now(), crp_document = NULL`;
    await this.db.current().execute(sql`
      UPDATE cms_run_page p SET crp_status = ${status}, crp_action = ${action}${rank}${ended}
      WHERE ${ofRun(run)} AND p.crp_status = 'waiting' AND p.crp_verdict = ${verdict} AND p.crp_action IS NULL`);
  }

  async endPage(run: string, seq: number, ended: EndedPage): Promise<void> {
    const { crp_status, crp_action, crp_external_id, crp_node, crp_published = false, crp_error = null } = ended;
    await this.db.current().execute(sql`
      UPDATE cms_run_page p SET crp_status = ${crp_status}, crp_action = coalesce(${crp_action ?? null}, p.crp_action),
        crp_external_id = coalesce(${crp_external_id ?? null}, p.crp_external_id), crp_node = coalesce(${crp_node ?? null}::uuid, p.crp_node),
        crp_published = ${crp_published}, crp_error = ${crp_error === null ? null : JSON.stringify(crp_error)}::jsonb, crp_finished = now(), crp_document = NULL
      WHERE ${ofRun(run)} AND p.crp_seq = ${seq}`);
  }

  async markPublished(run: string, seq: number): Promise<void> {
    await this.db.current().execute(sql`UPDATE cms_run_page p SET crp_published = true WHERE ${ofRun(run)} AND p.crp_seq = ${seq}`);
  }

  /** Pages of a run in the order in which it met them. */
  listPages(
    run: string,
    {
      after,
      most,
      status,
      action,
    }: { readonly after: number; readonly most: number; readonly status?: string | undefined; readonly action?: string | undefined },
  ): Promise<ShownRunPage[]> {
    return this.db.current().query<ShownRunPage & Record<string, unknown>>(sql`
      SELECT ${SHOWN} FROM cms_run_page p WHERE ${ofRun(run)} AND p.crp_seq > ${after}
        AND (${status ?? null}::text IS NULL OR p.crp_status = ${status ?? null}) AND (${action ?? null}::text IS NULL OR p.crp_action = ${action ?? null})
      ORDER BY p.crp_seq LIMIT ${most}`);
  }

  /** Pages of a comparison behind a number, with the fields that differ. */
  listCompared(run: string, after: number, most: number): Promise<ComparedRunPage[]> {
    return this.db.current().query<ComparedRunPage & Record<string, unknown>>(sql`
      SELECT p.crp_seq, p.crp_node AS node_id, p.crp_external_id AS external_id, p.crp_name AS name, p.crp_external_path AS path,
        p.crp_verdict AS verdict, nullif(l.lnk_fields, '{}') AS fields
      FROM cms_run_page p JOIN cms_run r ON r.tenant_id = p.tenant_id AND r.job_id = p.crp_run
      LEFT JOIN cms_link l ON l.tenant_id = p.tenant_id AND l.lnk_site = r.site_id AND l.lnk_external_id = p.crp_external_id
      WHERE ${ofRun(run)} AND p.crp_seq > ${after} AND p.crp_verdict IS NOT NULL ORDER BY p.crp_seq LIMIT ${most}`);
  }

  /** The pages that failed in another run, to be compared again. */
  async addFailedOf(run: string, other: string, version: string): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      INSERT INTO cms_run_page (tenant_id, crp_run, crp_seq, crp_external_id, crp_node, crp_external_path, crp_external_version, crp_parent, crp_name, crp_rank, crp_status)
      SELECT ${tenant_id}, ${run}, p.crp_seq, p.crp_external_id, p.crp_node, p.crp_external_path,
        CASE WHEN p.crp_external_id IS NOT NULL THEN ${version} END, p.crp_parent, p.crp_name, least(p.crp_rank, 1000000 - p.crp_rank), 'listed'
      FROM cms_run_page p WHERE ${ofRun(other)} AND p.crp_status = 'failed' ON CONFLICT DO NOTHING`);
  }

  async hasFailed(run: string): Promise<boolean> {
    const found = await this.db.current().first(sql`SELECT 1 FROM cms_run_page p WHERE ${ofRun(run)} AND p.crp_status = 'failed' LIMIT 1`);
    return found !== undefined;
  }

  /** Removes pages of runs that finished before a moment; whether there may be more. */
  async removeOld(before: Date, most: number): Promise<boolean> {
    const removed = await this.db.current().execute(sql`
      DELETE FROM cms_run_page p USING (SELECT o.tenant_id, o.crp_run, o.crp_seq FROM cms_run r JOIN cms_run_page o ON o.tenant_id = r.tenant_id AND o.crp_run = r.job_id
        WHERE r.tenant_id = ${requireScope().tenant_id} AND r.finished_at < ${before} ORDER BY r.finished_at LIMIT ${most}) x
      WHERE p.tenant_id = x.tenant_id AND p.crp_run = x.crp_run AND p.crp_seq = x.crp_seq`);
    return removed === most;
  }

  private findOpen(run: string, condition: Sql, most: number): Promise<OpenPage[]> {
    return this.db
      .current()
      .query<OpenPage & Record<string, unknown>>(
        sql`SELECT ${STORED}, p.crp_document FROM cms_run_page p WHERE ${ofRun(run)} AND ${condition} ORDER BY p.crp_rank, p.crp_seq LIMIT ${most}`,
      );
  }
}

const ofRun = (run: string): Sql => sql`p.tenant_id = ${requireScope().tenant_id} AND p.crp_run = ${run}`;
