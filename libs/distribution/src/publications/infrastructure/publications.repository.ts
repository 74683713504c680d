import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  empty,
  listPage,
  literalPattern,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
  type MethodsOf,
} from '@atrium/platform/database';
import { Publication } from '../domain/publication';

type Behaviour =
  | MethodsOf<Publication>
  | 'isLive'
  | 'standing'
  | 'rules'
  | 'pub_key'
  | 'pub_object'
  | 'pub_copy_object'
  | 'pub_copied'
  | 'pub_wanted_version'
  | 'pub_wanted_hash'
  | 'pub_file_version'
  | 'pub_repo_type'
  | 'pub_created_by'
  | 'pub_edge_revision'
  | 'pub_edge_due';

/** Texts that are shorter have no part that the index knows. */
const TRIGRAM = 3;
/** So many found through the index replace the condition. */
const FEW = 10_000;

/** A publication as lists show it. */
export type PublicationRow = Omit<Publication, Behaviour | 'tenant_id' | 'row_version'>;

/** A publication whose window opens or closes or that an edge does not know yet, or a changed rule that edges do not know yet. */
export interface DueChange extends Record<string, unknown> {
  readonly kind: 'start' | 'end' | 'edge' | 'sync';
  readonly tenant_id: string;
  readonly id: string;
}

/** Publications as aggregates, and the rows that leave. */
@Injectable()
export class PublicationsRepository extends ResourceRepository<Publication> {
  constructor(db: Database) {
    super(db, Publication, 'publication');
  }

  listPublications(query: ListParameters, where: Sql): Promise<Page<PublicationRow>> {
    return listPage<PublicationRow>(this.db.current(), Publication, query, { where });
  }

  /** Condition on `r`: one of its names or its address holds the text. Through an index where few do; else they are come across along the order of the list. */
  async buildTextCondition(text: string): Promise<Sql> {
    const held = sql`dotless(folded(r.pub_file_name || E'\\n' || coalesce(r.pub_published_name, '') || E'\\n' || coalesce(r.pub_url, ''))) LIKE dotless(folded(${`%${literalPattern(text)}%`}::text))`;
    if ([...text].length < TRIGRAM) return held;
    const found = await this.db
      .current()
      .query<{ pub_id: string }>(sql`SELECT publications_matching(${text}, ${FEW + 1}::integer) AS pub_id`);
    return found.length > FEW ? held : sql`r.pub_id = ANY(${found.map(({ pub_id }) => pub_id)}::uuid[])`;
  }

  findPublicationRow(id: string): Promise<(PublicationRow & { readonly row_version: number; readonly pub_repo_type: string }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(Publication)}, r.row_version, r.pub_repo_type FROM publication r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.pub_id = ${id}`,
      );
  }

  /** One release of a file at a time; taken after the file itself. */
  async lockRelease(file_id: string): Promise<void> {
    await this.db
      .current()
      .query(
        sql`SELECT pg_advisory_xact_lock(hashtextextended('publication:' || ${requireScope().tenant_id}::text || ':' || ${file_id}::text, 0))`,
      );
  }

  async findPublicationId(file_id: string): Promise<string | null> {
    return (
      (
        await this.db
          .current()
          .first<{ pub_id: string }>(
            sql`SELECT p.pub_id FROM publication p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.pub_file = ${file_id}`,
          )
      )?.pub_id ?? null
    );
  }

  /** The publication of a file, locked; null when there is none. */
  async lockOf(file_id: string): Promise<Publication | null> {
    const id = await this.findPublicationId(file_id);
    return id === null ? null : ((await this.lockMany([id]))[0] ?? null);
  }

  /** Of these files, the publications that are live or about to be, locked in the order of their ids; without those that people released since. */
  async lockLiveOf(file_ids: readonly string[], since?: Date): Promise<Publication[]> {
    const unreleased = since
      ? sql`AND NOT EXISTS (SELECT FROM publication_history h WHERE h.tenant_id = p.tenant_id AND h.ph_publication = p.pub_id AND h.ph_created >= ${since}::timestamptz AND h.ph_action IN ('published', 'scheduled', 'updated'))`
      : empty;
    const rows = await this.db.current().query<{ pub_id: string }>(sql`
      SELECT p.pub_id FROM publication p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.pub_file = ANY(${[...file_ids]}::uuid[]) AND p.pub_state IN ('published', 'scheduled') ${unreleased}`);
    return rows.length === 0 ? [] : this.lockMany(rows.map(({ pub_id }) => pub_id));
  }

  /** The file is another one now, by name, version or kind; publications follow without a change of their own. */
  async followFile(file: {
    readonly file_id: string;
    readonly file_name: string;
    readonly file_version: number;
    readonly repo_type: string;
  }): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE publication SET pub_file_name = ${file.file_name}, pub_file_version = ${file.file_version}, pub_repo_type = ${file.repo_type}
      WHERE tenant_id = ${requireScope().tenant_id} AND pub_file = ${file.file_id} AND (pub_file_name, pub_file_version, pub_repo_type) IS DISTINCT FROM (${file.file_name}, ${file.file_version}::integer, ${file.repo_type})`);
  }

  /** Stale ones behind an id, in the order of their ids. */
  async findStale(
    after: string | null,
    most: number,
    among: readonly string[] | null,
  ): Promise<Pick<Publication, 'pub_id' | 'pub_file'>[]> {
    return this.db.current().query(sql`
      SELECT p.pub_id, p.pub_file FROM publication p
      WHERE p.tenant_id = ${requireScope().tenant_id} AND p.pub_stale AND (${after}::uuid IS NULL OR p.pub_id > ${after}::uuid) AND (${among && [...among]}::uuid[] IS NULL OR p.pub_file = ANY(${among && [...among]}::uuid[]))
      ORDER BY p.pub_id LIMIT ${most}`);
  }

  /** Live and scheduled ones behind an id, in the order of their ids: those that a restriction applies to, or all. */
  findLiveUnder(restriction: string | null, after: string | null, most: number): Promise<Publication[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<Publication & Record<string, unknown>>(sql`
      SELECT p.* FROM publication p
      WHERE p.tenant_id = ${tenant_id} AND p.pub_state IN ('published', 'scheduled') AND (${after}::uuid IS NULL OR p.pub_id > ${after}::uuid)
        AND (${restriction}::uuid IS NULL OR EXISTS (SELECT FROM publication_restriction l WHERE l.tenant_id = ${tenant_id} AND l.pr_restriction = ${restriction}::uuid AND l.pr_publication = p.pub_id))
      ORDER BY p.pub_id LIMIT ${most}`);
  }

  /** Of a file, those that are not revoked. */
  findUnrevokedOf(
    file_id: string,
  ): Promise<{ pub_id: string; pub_name: string | null; pub_url: string | null; pub_state: string; pub_file_name: string }[]> {
    return this.db.current().query(sql`
      SELECT p.pub_id, p.pub_name, p.pub_url, p.pub_state, p.pub_file_name FROM publication p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.pub_file = ${file_id} AND p.pub_state <> 'revoked'`);
  }

  /** What is due now, of all workspaces. */
  findDueChanges(most: number): Promise<DueChange[]> {
    return this.db.queryAcrossTenants<DueChange>(sql`SELECT * FROM publications_due(${most})`);
  }

  /** Edges outside know the policy of this revision; a later one stays due. */
  async confirmEdges(pub_id: string, revision: number, edges: readonly object[]): Promise<void> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.execute(
      sql`UPDATE publication SET pub_edge_due = NULL WHERE tenant_id = ${tenant_id} AND pub_id = ${pub_id} AND pub_edge_revision = ${revision}`,
    );
    await tx.execute(sql`
      UPDATE publication_history SET ph_edges = ${JSON.stringify(edges)}::jsonb WHERE tenant_id = ${tenant_id} AND ph_publication = ${pub_id} AND ph_revision <= ${revision} AND ph_edges = '[]'`);
  }

  /** It is asked for again only later. */
  async postponeEdges(pub_id: string, until: Date): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE publication SET pub_edge_due = ${until} WHERE tenant_id = ${requireScope().tenant_id} AND pub_id = ${pub_id} AND pub_edge_due IS NOT NULL`,
      );
  }
}
