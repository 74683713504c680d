import { Active, Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

export const NODE_KINDS = ['page', 'folder', 'link'] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** A page, a folder or a link of a site: the draft of its structure and of its content in the default locale. */
@Resource({ table: 'node', sort: 'node_order' })
export class Node extends TenantRow {
  @Id({ about: 'Id of the page, folder or link.' }) readonly node_id!: string;
  @Ref({ about: 'Site that it belongs to.' }) node_site!: string;
  @Ref({ optional: true, about: 'Page or folder that it is below; null at the top of the site.' }) node_parent!: string | null;
  @Choice(NODE_KINDS, {
    about:
      '`page` for a page, `folder` for a segment of paths without an address of its own, `link` for a menu entry that leads elsewhere. Cannot be changed.',
    example: 'page',
    filter: 'equals',
  })
  node_kind!: NodeKind;
  @Text({
    min: 1,
    max: 255,
    about: 'Internal title, from which the slug is derived.',
    example: 'Desk lamps',
    filter: 'contains',
    sort: true,
  })
  node_name!: string;
  @Text({
    max: 120,
    about:
      'Segment of the path in the default locale: letters, digits and single hyphens. Derived from the name when omitted; empty for the home page.',
    example: 'desk-lamps',
  })
  node_slug!: string;
  @Json({
    about: 'Segments of the path in other locales, by locale. A locale without one uses `node_slug`.',
    example: { de: 'tischlampen' },
  })
  node_slugs!: JsonObject;
  @Text({ max: 64, sort: 'node_order', about: 'Rank among its siblings. Set it with `before` or `after`.', example: 'a0' })
  node_order!: string;
  @Ref({ optional: true, about: 'Content schema of the page; null for folders and links.', filter: 'equals' }) node_template!:
    string | null;
  @Json({ about: 'Search engine settings: {title, description, image, canonical, noindex, og}.', example: { title: 'Desk lamps' } })
  node_seo!: JsonObject;
  @Json({
    optional: true,
    about: 'Target of a link; null for pages and folders.',
    example: { kind: 'url', url: 'https://shop.example.com' },
  })
  node_link!: JsonObject | null;
  @TextList({ max: 50, about: 'Tags.', example: ['news'] }) node_tags!: string[];
  @Flag({ about: 'Whether it appears in menus.' }) node_menu!: boolean;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: {} }) node_metadata!: JsonObject;
  @Active('action', { about: 'Whether it is active; false in the trash, from which it can be restored for 30 days.' })
  node_active!: boolean;
  @Stamp({ about: 'When it was created.' }) node_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) node_updated!: Date;
  @Ref({ optional: true, about: 'Member who created it.' }) node_created_by!: string | null;
  @Ref({ optional: true, about: 'Member who last changed it.' }) node_updated_by!: string | null;

  @Json({ internal: true }) node_tree!: JsonObject;
  @Text({ internal: true }) node_lineage!: string;
  @Stamp({ internal: true, optional: true }) node_removed!: Date | null;
  @Ref({ internal: true, optional: true }) node_removed_by!: string | null;
  @Ref({ internal: true, optional: true }) node_removed_with!: string | null;
}
