import { Choice, Flag, Json, Nested, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { MOST_LEVELS } from '../domain/lineage';
import { Node } from '../domain/node';
import { NODE_STATES, type NodeState } from '../domain/node-locale';
import type { NodeKind } from '../domain/page-draft';

/** Content is refused beyond 1 MB; what is larger than this is not even read. */
const MOST_CONTENT = 1_536 * 1024;
export const LOCALE = { about: 'Locale of the site (BCP 47).', example: 'de', min: 2, max: 35 } as const;
export const CONTENT = {
  max: MOST_CONTENT,
  about:
    'Content by the template of the page, at most 1 MB. Fields with blocks have a list of `{_uid, component, …}`; a `_uid` that is omitted is generated.',
  example: { title: 'Desk lamps', body: [{ component: 'hero', headline: 'Light for every desk' }] },
} as const;

/** Where a node goes among those with the same parent. */
@Accepts()
class PlacedBeside {
  @Ref({ omittable: true, about: 'Id of the page before which it goes; one with the same parent.' }) before?: string;
  @Ref({ omittable: true, about: 'Id of the page after which it goes. Without `before` and `after`, a new page goes to the end.' })
  after?: string;
}

@Accepts()
class NewNodeBody extends PlacedBeside {
  @Json({ ...CONTENT, omittable: true }) node_content?: JsonObject;
}

const OPTIONAL = [
  'node_parent',
  'node_slug',
  'node_slugs',
  'node_template',
  'node_seo',
  'node_link',
  'node_tags',
  'node_menu',
  'node_metadata',
] as const;

export class CreateNode extends Body(Node, { required: ['node_name'], optional: ['node_kind', ...OPTIONAL], with: NewNodeBody }) {}

@Accepts()
class ChangedNodeBody extends PlacedBeside {
  @Text({ ...LOCALE, omittable: true, about: 'Locale to write `node_seo` in; the default locale when omitted.' }) locale?: string;
}

export class ChangeNode extends Body(Node, { optional: ['node_name', ...OPTIONAL], with: ChangedNodeBody }) {}

@Accepts()
export class CopyNode {
  @Ref({ optional: true, about: 'Id of the page or folder for the copy; null for the top level. The parent of the source when omitted.' })
  node_parent?: string | null;
  @Text({ omittable: true, min: 1, about: 'Name of the copy; that of the source when omitted.', example: 'Desk lamps, 2027' })
  node_name?: string;
  @Flag({ omittable: true, about: 'Whether all pages below it are copied as well, at most 500. Default: false.' }) subtree?: boolean;
}

export class ListNodes extends ListQuery(Node, { without: ['node_active', 'node_id'] }) {
  node_parent?: string;
  under?: string;
  node_tags?: string[];
  node_active?: boolean;
  state?: NodeState;
  locale?: string;
  missing?: string;
  stale?: string;
}
acceptParameter(ListNodes, {
  name: 'node_parent',
  kind: 'text',
  min: 1,
  max: 36,
  form: { pattern: /^(root|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/, words: 'the id of a page, or root' },
  about: 'Only pages directly below this one; `root` for the top level.',
  example: 'root',
});
acceptParameter(ListNodes, { name: 'under', kind: 'id', about: 'Only pages below this one, at any depth.' });
acceptParameter(
  ListNodes,
  { name: 'node_tags', kind: 'texts', min: 1, max: 50 },
  {
    type: 'array',
    items: { type: 'string', maxLength: 255 },
    maxItems: 50,
    description: 'Only pages with all of these tags; repeat the parameter for several.',
  },
);
acceptParameter(
  ListNodes,
  { name: 'node_active', kind: 'flag' },
  { type: 'boolean', default: true, description: 'Pages in use, or with false, pages in the trash.' },
);
acceptParameter(ListNodes, {
  name: 'state',
  kind: 'choice',
  values: NODE_STATES,
  about: 'Only pages in this state in `locale`, or in the default locale.',
});
acceptParameter(ListNodes, { name: 'locale', kind: 'text', ...LOCALE, about: 'Locale for `state`.' });
acceptParameter(ListNodes, {
  name: 'missing',
  kind: 'text',
  ...LOCALE,
  about: 'Only pages with texts that this locale does not translate.',
});
acceptParameter(ListNodes, {
  name: 'stale',
  kind: 'text',
  ...LOCALE,
  about: 'Only pages with translations in this locale whose source has changed since.',
});

/** Query of GET /sites/{id}/tree. */
@Accepts()
export class ReadTree {
  locale?: string;
  depth?: number;
  under?: string;
}
acceptParameter(ReadTree, {
  name: 'locale',
  kind: 'text',
  ...LOCALE,
  about: 'Locale of slugs, paths and states; the default locale when omitted.',
});
acceptParameter(
  ReadTree,
  { name: 'depth', kind: 'whole', min: 1, max: MOST_LEVELS },
  { type: 'integer', minimum: 1, maximum: MOST_LEVELS, default: MOST_LEVELS, description: 'Number of levels.' },
);
acceptParameter(ReadTree, { name: 'under', kind: 'id', about: 'Id of the page whose branch is read; the whole site when omitted.' });

/** Query of GET /sites/{id}/nodes/{node_id}. */
@Accepts()
export class ReadNode {
  locale?: string;
  version?: string;
  resolve?: 'links';
}
acceptParameter(ReadNode, {
  name: 'locale',
  kind: 'text',
  ...LOCALE,
  about: 'Locale of content and metadata; the default locale when omitted.',
});
acceptParameter(ReadNode, {
  name: 'version',
  kind: 'text',
  min: 1,
  max: 10,
  form: { pattern: /^(draft|published|[1-9]\d{0,8})$/, words: 'draft, published or the number of a version' },
  about: 'State to read: `draft` (default), `published`, or the number of a version.',
});
acceptParameter(ReadNode, {
  name: 'resolve',
  kind: 'choice',
  values: ['links'],
  about: 'With `links`, links to pages have the path of the page as their `url`.',
});

/** Query of DELETE /sites/{id}/nodes/{node_id}. */
@Accepts()
export class DeleteNode {
  children?: 'delete' | 'reparent';
  redirect_to?: string;
}
acceptParameter(DeleteNode, {
  name: 'children',
  kind: 'choice',
  values: ['delete', 'reparent'],
  about:
    'What happens to the pages below it: `delete` deletes them too, `reparent` moves them up to its parent. Required if there are any.',
});
acceptParameter(DeleteNode, {
  name: 'redirect_to',
  kind: 'text',
  min: 1,
  max: 2_000,
  about: 'Path or address to which visitors of its published address are redirected.',
  example: '/lamps',
});

@Answer()
class NodeApprovalView {
  @Ref({ about: 'Id of the approval flow.' }) flow!: string;
  @Text({ about: 'Key of the state.', example: 'review' }) state!: string;
  @Ref({ optional: true, about: 'Id of the open request; null if there is none.' }) request!: string | null;
}

@Answer()
class NodeLocaleView {
  @Text(LOCALE) locale!: string;
  @Choice(NODE_STATES, {
    about:
      '`draft`: never published. `published`: visitors see the draft as it is. `changed`: visitors see an earlier state. `unpublished`: was published once.',
    example: 'changed',
  })
  state!: NodeState;
  @Text({ max: 2_000, about: 'Path that publishing the draft would give it.', example: '/de/lampen' }) path!: string;
  @Text({ max: 2_000, optional: true, about: 'Path under which visitors find it; null if it is not published.', example: '/de/leuchten' })
  live_path!: string | null;
  @Whole({ optional: true, about: 'Number of the published version.', example: 7 }) version!: number | null;
  @Stamp({ optional: true, about: 'When it was last published.' }) published!: Date | null;
  @Ref({ optional: true, about: 'Id of the person who published it.' }) published_by!: string | null;
  @Stamp({ about: 'When the draft was last changed in this locale.' }) changed!: Date;
  @Stamp({ optional: true, about: 'When the next schedule for it is due.' }) scheduled!: Date | null;
  @Whole({ about: 'Number of texts that are not translated.', example: 2 }) missing!: number;
  @Whole({ about: 'Number of translations whose source has changed since.', example: 1 }) stale!: number;
  @Nested(() => NodeApprovalView, { optional: true, about: 'Where it is in its approval flow; null without a flow.' })
  approval!: NodeApprovalView | null;
}

@Answer()
class NodeCmsView {
  @Text({ about: 'Id of the page in the content management system.', example: '487211' }) external_id!: string;
  @Text({ about: 'How the two compare.', example: 'in_sync' }) verdict!: string;
  @Stamp({ optional: true, about: 'When it was last pulled.' }) pulled!: Date | null;
  @Stamp({ optional: true, about: 'When it was last pushed.' }) pushed!: Date | null;
}

@Answer()
export class NodeIssueView {
  @Text({ about: 'Code of the issue, such as `required`, `reference`, `missing` or `stale`.', example: 'required' }) code!: string;
  @Choice(['error', 'warning'], { about: 'An `error` prevents publishing; a `warning` does not.', example: 'error' }) severity!: string;
  @Text({ optional: true, about: 'Locale; null if it concerns all.', example: 'de' }) locale!: string | null;
  @Text({ max: 2_000, about: 'Path of the value.', example: 'node_content.body[2].title' }) path!: string;
  @Text({ max: 2_000, about: 'What is wrong.', example: 'Title is required.' }) message!: string;
}

@Answer()
class NodeView extends View(Node) {
  @Json({ about: 'Paths of the draft by locale.', example: { en: '/lamps', de: '/de/lampen' } }) node_path!: JsonObject;
  @NestedList(() => NodeLocaleView, { about: 'State of each locale.' }) node_locales!: NodeLocaleView[];
  @Nested(() => NodeCmsView, {
    optional: true,
    about: 'Page of the content management system that it is linked to; null if there is none.',
  })
  node_cms!: NodeCmsView | null;
}

export class NodePage extends PageOf(NodeView) {}

@Answer()
export class NodeDetailView extends NodeView {
  @Json({ ...CONTENT, about: 'Content in the requested locale; missing values come from its fallbacks.' }) node_content!: JsonObject;
  @NestedList(() => NodeIssueView, { about: 'What prevents publishing, and what its authors should know.' }) node_issues!: NodeIssueView[];
}

@Answer()
export class TreeNodeView {
  @Ref({ about: 'Id of the page, folder or link.' }) node_id!: string;
  @Choice(['page', 'folder', 'link'], { about: 'Kind.', example: 'page' }) node_kind!: NodeKind;
  @Text({ about: 'Internal title.', example: 'Desk lamps' }) node_name!: string;
  @Ref({ optional: true, about: 'Id of the content schema; null for folders and links.' }) node_template!: string | null;
  @Flag({ about: 'Whether menus show it.' }) node_menu!: boolean;
  @Text({ max: 120, about: 'Segment of the path.', example: 'desk-lamps' }) slug!: string;
  @Text({ max: 2_000, about: 'Path of the draft.', example: '/lamps/desk-lamps' }) path!: string;
  @Choice(NODE_STATES, { about: 'State in the locale.', example: 'published' }) state!: NodeState;
  @Flag({ about: 'Whether there are pages below it that the response leaves out.' }) has_more!: boolean;
  @NestedList(() => TreeNodeView, { about: 'Pages directly below it, in their order.' }) children!: TreeNodeView[];
}

@Answer()
export class TreeView {
  @Text(LOCALE) locale!: string;
  @Flag({ about: 'Whether the response leaves out pages, because the site has more than 10,000: read their branches with `under`.' })
  has_more!: boolean;
  @NestedList(() => TreeNodeView, { about: 'Pages of the first level, in their order.' }) data!: TreeNodeView[];
}
