import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ID, listOf, SearchFields, unknownOperator, type SearchContext, type SearchField, type SearchLeaf } from '@atrium/files';
import { SharedAlbums } from '@atrium/media';
import { requireScope, sql, type Sql } from '@atrium/platform/database';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';

const EXAMPLE = '01890000-0000-7000-8000-0000000000a1';

/**
 * The leaf `share_link`: what a link shows, or what came in by it. A link can be named by its creator and by members who administer
 * links; one of a smart album cannot be named, so that no search depends on itself.
 */
@Injectable()
export class ShareSearchField implements OnModuleInit {
  constructor(
    private readonly links: ShareLinksRepository,
    private readonly albums: SharedAlbums,
    private readonly fields: SearchFields,
  ) {}

  onModuleInit(): void {
    this.fields.register(this.field());
  }

  private field(): SearchField {
    return {
      name: 'share_link',
      scopes: ['media'],
      type: 'uuids of share links',
      operators: { eq: { value: ID }, in: { value: listOf(ID) } },
      examples: { eq: EXAMPLE, in: [EXAMPLE] },
      references: { kind: 'share link', namesIn: idsOf, findKnown: (ids, context) => this.known(ids, context) },
      compileLeaf: (leaf, context) => this.condition(leaf, context),
      candidateQuery: (leaf, context, most) => sql`SELECT s.file_id FROM (${this.files(leaf, context)}) s (file_id) LIMIT ${most}`,
    };
  }

  private condition(leaf: SearchLeaf, context: SearchContext): Sql {
    if (leaf.op !== 'eq' && leaf.op !== 'in') throw unknownOperator(leaf.field, leaf.op);
    return sql`r.file_id IN (${this.files(leaf, context)})`;
  }

  /** Ids of the files: chosen ones, those of an album now, and those that guests sent. */
  private files(leaf: SearchLeaf, context: SearchContext): Sql {
    const links = (columns: Sql, type: string): Sql =>
      sql`SELECT ${columns} FROM share_link l WHERE ${open(idsOf(leaf), context)} AND l.share_type = ${type}`;
    return sql`${links(sql`unnest(l.share_file_ids)`, 'files')}
      UNION ALL ${this.albums.heldFilesQuery(links(sql`l.share_album_id`, 'album'), context.reader)}
      UNION ALL SELECT u.su_file FROM share_upload u WHERE u.tenant_id = ${requireScope().tenant_id}::uuid AND u.su_share IN (${links(sql`l.share_id`, 'upload')}) AND u.su_file IS NOT NULL`;
  }

  private known(ids: readonly string[], context: SearchContext): Promise<ReadonlySet<string>> {
    return this.links.filterLinks(
      sql`${open(ids, context)} AND (l.share_type <> 'album' OR ${this.albums.curatedCondition(sql`l.share_album_id`)})`,
    );
  }
}

const open = (ids: readonly string[], { reader }: SearchContext): Sql =>
  sql`l.tenant_id = ${requireScope().tenant_id}::uuid AND l.share_id = ANY(${[...ids]}::uuid[]) ${reader.permissions.has('admin:share-links') ? sql`` : sql`AND l.share_created_by = ${reader.user_id}::uuid`}`;

const idsOf = ({ value }: SearchLeaf): readonly string[] => [value ?? []].flat().map(String);
