import { Active, Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import { Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { isWithin, levelOf, lineageBelow, MOST_LEVELS } from './lineage';
import { NODE_KINDS, type NodeKind } from './page-draft';

/** Tags of a node. */
const MOST_TAGS = 50;
const MOST_SLUG = 120;

/** A page, folder or link of a site. Its lineage always ends in its own id and begins with that of its parent. */
@Resource({ table: 'node', sort: 'node_order' })
export class Node extends TenantRow {
  @Id({ about: 'Id of the page, folder or link.' }) readonly node_id!: string;
  @Ref({ about: 'Id of the site.' }) readonly node_site!: string;
  @Ref({ optional: true, about: 'Id of the parent in the same site; null at the top level. A site can be 15 levels deep.' })
  node_parent!: string | null;
  @Choice(NODE_KINDS, {
    filter: true,
    about:
      'Kind: a `page` has content, a `folder` is only a segment of paths, a `link` is an entry of menus that leads elsewhere. Cannot be changed.',
    example: 'page',
  })
  readonly node_kind!: NodeKind;
  @Text({ min: 1, filter: 'contains', sort: true, about: 'Internal title.', example: 'Desk lamps' }) node_name!: string;
  @Text({
    max: MOST_SLUG,
    about:
      'Segment of the path in the default locale: letters, digits and single hyphens. Derived from the name when omitted; an empty slug makes a page at the top level the home page.',
    example: 'desk-lamps',
  })
  node_slug!: string;
  @Json({
    max: 32 * 1024,
    about: 'Slugs of other locales, by locale. A locale without one uses `node_slug`.',
    example: { de: 'schreibtischlampen' },
  })
  node_slugs!: Readonly<Record<string, string>>;
  @Text({ sort: 'node_order', about: 'Rank among the nodes with the same parent, compared byte by byte. Set it with `before` or `after`.' })
  node_order!: string;
  @Ref({
    optional: true,
    filter: 'equals',
    about: 'Id of the content schema of a page; null for folders and links. A change keeps the values of fields with the same key.',
  })
  node_template!: string | null;
  @Json({ internal: true }) node_tree!: JsonObject;
  @Json({
    about: 'Metadata for search engines: `title`, `description`, `image`, `canonical`, `noindex` and `og`. Texts can differ by locale.',
    example: { title: 'Desk lamps', noindex: false },
  })
  node_seo!: JsonObject;
  @Json({ optional: true, about: 'Target of a link; null for pages and folders.', example: { kind: 'url', url: 'https://example.com' } })
  node_link!: JsonObject | null;
  @TextList({ max: MOST_TAGS, about: 'Tags.', example: ['lighting'] }) node_tags!: string[];
  @Flag({ about: 'Whether menus show it. Default: true.' }) node_menu!: boolean;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: { campaign: 'spring' } }) node_metadata!: JsonObject;
  @Active('action', { about: 'Whether it is in use; false in the trash, from which it can be restored for 30 days.' })
  node_active!: boolean;
  @Stamp({ optional: true, internal: true }) node_removed!: Date | null;
  @Ref({ optional: true, internal: true }) node_removed_by!: string | null;
  @Ref({ optional: true, internal: true }) node_removed_with!: string | null;
  @Text({ internal: true }) node_lineage!: string;
  @Stamp({ about: 'When it was created.' }) readonly node_created!: Date;
  @Stamp({ sort: true, about: 'When its structure or its content in any locale was last changed.' }) node_updated!: Date;
  @Ref({ optional: true, about: 'Id of the person who created it; null if it came from a CMS.' }) node_created_by!: string | null;
  @Ref({ optional: true, about: 'Id of the person who last changed it.' }) node_updated_by!: string | null;

  /** Puts the node below another one, or at the top; `levels` is how many levels it has with those below it. */
  placeUnder(parent: Pick<Node, 'node_id' | 'node_lineage'> | null, levels: number): void {
    if (parent && this.node_lineage && isWithin(parent.node_lineage, this.node_lineage))
      throw new Problem('invalid_move', 'A page cannot be moved below itself or below one of its descendants.');
    const above = parent?.node_lineage ?? '';
    if (levelOf(above) + levels > MOST_LEVELS)
      throw new Problem('invalid_move', `The pages of a site can be nested at most ${MOST_LEVELS} levels deep.`);
    this.node_parent = parent?.node_id ?? null;
    this.node_lineage = lineageBelow(above, this.node_id);
  }

  /** In the trash, alone or along with the node whose deletion took it. */
  trash({ clock, by, withNode }: { readonly clock: Clock; readonly by: string | null; readonly withNode: string }): void {
    this.node_active = false;
    this.node_removed = clock.now();
    this.node_removed_by = by;
    this.node_removed_with = withNode;
  }

  touch(clock: Clock, by: string | null): void {
    this.node_updated = clock.now();
    this.node_updated_by = by;
  }
}
