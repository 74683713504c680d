import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { SocialPost } from '../domain/social-post';

type Internal = 'tenant_id' | 'row_version' | 'sp_scheduled_by' | 'sp_scheduled_key' | 'sp_started' | 'isUnsent';

/** A post as it is stored. */
export type PostRow = Omit<SocialPost, Internal | MethodsOf<SocialPost>> & { readonly row_version: number };

/** What narrows a list of posts besides the filters of its fields. */
export interface PostSelection {
  readonly states?: readonly string[];
  readonly targets?: readonly string[];
  readonly labels?: readonly string[];
  readonly platform?: string;
  readonly active: boolean;
}

const mine = () => requireScope().tenant_id;

/** The posts of a workspace. */
@Injectable()
export class PostsRepository extends ResourceRepository<SocialPost> {
  constructor(db: Database) {
    super(db, SocialPost, 'post', 'beside');
  }

  listPosts(
    caller: Principal,
    query: ListParameters,
    { states, targets, labels, platform, active }: PostSelection,
  ): Promise<Page<PostRow>> {
    const conditions: Sql[] = [sql`r.sp_active = ${active} AND ${aclAllows('r.sp_acl', caller, 'view')}`];
    if (states) conditions.push(sql`r.sp_state = ANY(${[...states]}::text[])`);
    if (targets) conditions.push(sql`r.sp_targets && ${[...targets]}::uuid[]`);
    if (labels) conditions.push(sql`r.sp_labels && ${[...labels]}::text[]`);
    if (platform)
      conditions.push(
        sql`EXISTS (SELECT FROM social_variant v WHERE v.tenant_id = r.tenant_id AND v.spv_post = r.sp_id AND v.spv_platform = ${platform})`,
      );
    const where = conditions.reduce((all, one) => sql`${all} AND ${one}`);
    return listPage<PostRow>(this.db.current(), SocialPost, query, { where, select: sql`r.row_version`, ignore: ['sp_active'] });
  }

  findPostRow(caller: Principal, sp_id: string): Promise<PostRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(SocialPost)}, r.row_version FROM social_post r WHERE r.tenant_id = ${mine()} AND r.sp_id = ${sp_id} AND ${aclAllows('r.sp_acl', caller, 'view')}`,
      );
  }

  /** The post for who has just written it, who may have left themselves out of its access list. */
  findWrittenRow(sp_id: string): Promise<PostRow | undefined> {
    return this.db
      .current()
      .first(sql`SELECT ${columnsOf(SocialPost)}, r.row_version FROM social_post r WHERE r.tenant_id = ${mine()} AND r.sp_id = ${sp_id}`);
  }

  /** Posts that use one of the files and are not sent yet; locked. */
  async lockUnsentWith(file_ids: readonly string[]): Promise<SocialPost[]> {
    const rows = await this.db.current().query<{ sp_id: string }>(
      sql`SELECT DISTINCT p.sp_id FROM social_post_file f JOIN social_post p ON p.tenant_id = f.tenant_id AND p.sp_id = f.spf_post
          WHERE f.tenant_id = ${mine()} AND f.spf_file = ANY(${[...file_ids]}::uuid[]) AND p.sp_active AND p.sp_state IN ('draft', 'in_review', 'approved', 'scheduled', 'failed', 'cancelled')`,
    );
    return this.lockMany(rows.map(({ sp_id }) => sp_id));
  }

  /** Posts that use a file, and whether the caller may read each. */
  findUses(
    caller: Principal,
    file_id: string,
  ): Promise<{ readonly sp_id: string; readonly sp_title: string; readonly sp_state: string; readonly readable: boolean }[]> {
    return this.db.current().query(
      sql`SELECT r.sp_id, r.sp_title, r.sp_state, ${aclAllows('r.sp_acl', caller, 'view')} AS readable FROM social_post_file f
          JOIN social_post r ON r.tenant_id = f.tenant_id AND r.sp_id = f.spf_post
          WHERE f.tenant_id = ${mine()} AND f.spf_file = ${file_id} AND r.sp_active ORDER BY r.sp_id LIMIT 1000`,
    );
  }

  /** The files that a post names, in the place of those it named. */
  async replaceFiles(sp_id: string, file_ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`DELETE FROM social_post_file WHERE tenant_id = ${mine()} AND spf_post = ${sp_id} AND NOT spf_file = ANY(${[...file_ids]}::uuid[])`,
      );
    if (file_ids.length === 0) return;
    await this.db
      .current()
      .execute(
        sql`INSERT INTO social_post_file (tenant_id, spf_file, spf_post) SELECT ${mine()}, f, ${sp_id} FROM unnest(${[...file_ids]}::uuid[]) f ON CONFLICT DO NOTHING`,
      );
  }

  /** Posts of all workspaces that are due, the earliest first. */
  findDuePosts(most: number): Promise<readonly { readonly tenant_id: string; readonly sp_id: string }[]> {
    return this.db.queryAcrossTenants<{ tenant_id: string; sp_id: string }>('SELECT * FROM social_posts_due($1)', [most]);
  }

  /** Posts of all workspaces that were deleted 30 days ago. */
  findRemovedPosts(most: number): Promise<readonly { readonly tenant_id: string; readonly sp_id: string }[]> {
    return this.db.queryAcrossTenants<{ tenant_id: string; sp_id: string }>('SELECT * FROM social_posts_removed($1)', [most]);
  }

  async findTitles(
    ids: readonly string[],
  ): Promise<readonly { readonly sp_id: string; readonly sp_title: string; readonly sp_created_by: string | null }[]> {
    return this.db
      .current()
      .query(sql`SELECT sp_id, sp_title, sp_created_by FROM social_post WHERE tenant_id = ${mine()} AND sp_id = ANY(${[...ids]}::uuid[])`);
  }

  /** Re-owns what one member created within one stretch of the posts. */
  async handOver(
    { from, to }: { readonly from: string; readonly to: string },
    { after, size }: { readonly after: string | null; readonly size: number },
  ): Promise<{ moved: number; seen: number; last: string | null }> {
    const stretch = await this.db.current().first<{ moved: number; seen: number; last: string | null }>(
      sql`WITH stretch AS MATERIALIZED (SELECT sp_id FROM social_post WHERE tenant_id = ${mine()} AND ${after === null ? sql`true` : sql`sp_id > ${after}`} ORDER BY sp_id LIMIT ${size}),
          moved AS (UPDATE social_post p SET sp_created_by = ${to}, row_version = p.row_version + 1 FROM stretch s
                    WHERE p.tenant_id = ${mine()} AND p.sp_id = s.sp_id AND p.sp_created_by = ${from} RETURNING 1)
          SELECT (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM stretch) AS seen, (SELECT sp_id FROM stretch ORDER BY sp_id DESC LIMIT 1) AS last`,
    );
    return stretch ?? { moved: 0, seen: 0, last: null };
  }
}
