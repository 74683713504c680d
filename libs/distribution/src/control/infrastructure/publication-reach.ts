import { Injectable } from '@nestjs/common';
import { ReleasableFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** The rules of one publication, as far as they are its own. */
export interface OwnRules {
  readonly pub_deny: string[];
  readonly pub_restrictions: string[];
}

export interface ReachedPublication extends OwnRules {
  readonly pub_id: string;
  readonly pub_file_name: string;
  readonly pub_url: string | null;
}

/** Which publications a restriction reaches: those that name it, or all that are live where it is of the baseline. */
@Injectable()
export class PublicationReach {
  constructor(
    private readonly db: Database,
    private readonly files: ReleasableFiles,
  ) {}

  async countReached(restriction: string | null): Promise<number> {
    return (
      (await this.db.current().first<{ count: number }>(sql`SELECT count(*) AS count FROM publication p WHERE ${reached(restriction)}`))
        ?.count ?? 0
    );
  }

  /** How many of the publications that name each of the restrictions the caller may see; none where there are none. */
  async countVisiblePublications(caller: Principal, restrictions: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (restrictions.length === 0) return new Map();
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ id: string; count: number }>(sql`
      SELECT l.pr_restriction AS id, count(*) AS count FROM publication_restriction l JOIN publication p ON p.tenant_id = l.tenant_id AND p.pub_id = l.pr_publication
      WHERE l.tenant_id = ${tenant_id} AND l.pr_restriction = ANY(${[...restrictions]}::uuid[]) AND ${this.files.visibleCondition(caller, { file: sql`p.pub_file`, type: sql`p.pub_repo_type` })}
      GROUP BY l.pr_restriction`);
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** Different sets of rules among them. */
  listRuleSets(restriction: string | null, most: number): Promise<OwnRules[]> {
    return this.db
      .current()
      .query(sql`SELECT DISTINCT p.pub_deny, p.pub_restrictions FROM publication p WHERE ${reached(restriction)} LIMIT ${most}`);
  }

  sampleReached(restriction: string | null, most: number): Promise<ReachedPublication[]> {
    return this.db.current().query(sql`
      SELECT p.pub_id, p.pub_file_name, p.pub_url, p.pub_deny, p.pub_restrictions FROM publication p WHERE ${reached(restriction)} ORDER BY p.pub_created DESC, p.pub_id DESC LIMIT ${most}`);
  }

  /**
   * Takes a restriction out of every publication that names it, records it in their histories, and schedules the update of
   * external edges.
   */
  async detachRestriction(restriction: string): Promise<void> {
    const { tenant_id, actor } = requireScope();
    await this.db.current().execute(sql`
      WITH named AS (SELECT l.pr_publication AS id FROM publication_restriction l WHERE l.tenant_id = ${tenant_id} AND l.pr_restriction = ${restriction}),
      told AS (
        INSERT INTO publication_history (tenant_id, ph_id, ph_publication, ph_action, ph_actor, ph_from, ph_to)
        SELECT p.tenant_id, gen_random_uuid(), p.pub_id, 'updated', ${actor.user_id}::uuid, jsonb_build_object('restrictions', p.pub_restrictions), jsonb_build_object('restrictions', array_remove(p.pub_restrictions, ${restriction}::uuid))
        FROM publication p JOIN named n ON n.id = p.pub_id WHERE p.tenant_id = ${tenant_id})
      UPDATE publication p SET pub_restrictions = array_remove(p.pub_restrictions, ${restriction}::uuid), row_version = p.row_version + 1, pub_updated = date_trunc('milliseconds', now()),
             pub_edge_revision = p.pub_edge_revision + 1, pub_edge_due = now(),
             pub_distribution = CASE WHEN p.pub_deny = '{}' AND array_remove(p.pub_restrictions, ${restriction}::uuid) = '{}' THEN 'worldwide' ELSE p.pub_distribution END
      FROM named n WHERE p.tenant_id = ${tenant_id} AND p.pub_id = n.id`);
  }
}

const reached = (restriction: string | null): Sql => {
  const { tenant_id } = requireScope();
  if (restriction === null) return sql`p.tenant_id = ${tenant_id} AND p.pub_state IN ('published', 'scheduled')`;
  return sql`p.tenant_id = ${tenant_id} AND p.pub_id IN (SELECT l.pr_publication FROM publication_restriction l WHERE l.tenant_id = ${tenant_id} AND l.pr_restriction = ${restriction})`;
};
