import { Choice, Json, Nested, NestedList, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { MOST_OPS, OP_NAMES, type OpName } from '../../content/domain/op';
import { PageVersion } from '../domain/page-version';
import { CONTENT, LOCALE, NodeDetailView } from './nodes.dto';

const UID = { max: 64, example: 'hero-3fA9kQ2x' } as const;
const NOTE = { max: 500, optional: true, about: 'Note for the version.', example: 'New price list' } as const;
const WRITTEN = { ...LOCALE, omittable: true, about: 'Locale to write; the default locale when omitted.' } as const;

@Accepts()
export class ReplaceContent {
  @Json(CONTENT) node_content!: JsonObject;
  @Text(WRITTEN) locale?: string;
  @Text(NOTE) note?: string | null;
}

/** One change of the content. */
@Accepts()
export class ContentOpBody {
  @Choice(OP_NAMES, {
    about:
      '`set` and `unset` change the value under `key` of the block `uid`; `insert` adds the block in `value`; `move`, `remove` and `duplicate` concern the block `uid`.',
    example: 'set',
  })
  op!: OpName;
  @Text({ ...UID, optional: true, about: '`_uid` of the block.' }) uid?: string | null;
  @Text({ max: 60, optional: true, about: 'Key of the field; for `insert` and `move`, of the list of `parent_uid`.', example: 'headline' })
  key?: string | null;
  @Json({
    max: 512 * 1024,
    omittable: true,
    optional: true,
    isOfAnyType: true,
    about: 'Value of the field, or block to insert, at most 512 KB.',
    example: 'Desk lamps',
  })
  value?: JsonValue;
  @Text({ ...UID, optional: true, about: '`_uid` of the block before which the block goes.' }) before?: string | null;
  @Text({ ...UID, optional: true, about: '`_uid` of the block after which the block goes.' }) after?: string | null;
  @Text({ ...UID, optional: true, about: '`_uid` of the block at the end of whose list `key` the block goes.' }) parent_uid?: string | null;
}

@Accepts()
export class ApplyContentOps {
  @NestedList(() => ContentOpBody, { min: 1, max: MOST_OPS, about: 'Changes in the order in which they are made: all of them, or none.' })
  ops!: ContentOpBody[];
  @Text(WRITTEN) locale?: string;
  @Text(NOTE) note?: string | null;
}

@Answer()
export class ChangedContentView extends NodeDetailView {
  @TextList({
    about: '`_uid` of each block that was added, in the order of the changes.',
    example: ['0190a1b2-0000-7000-8000-000000000001'],
  })
  new_uids!: string[];
}

@Answer()
class PageVersionView extends View(PageVersion) {}
export class PageVersionPage extends PageOf(PageVersionView) {}
export class ListPageVersions extends ListQuery(PageVersion, { without: ['ver_id'] }) {}

/** Query of GET /sites/{id}/nodes/{node_id}/versions/{ver_id}. */
@Accepts()
export class ReadVersion {
  locale?: string;
  against?: string;
}
acceptParameter(ReadVersion, { name: 'locale', kind: 'text', ...LOCALE, about: 'Locale of the content; the default locale when omitted.' });
acceptParameter(ReadVersion, {
  name: 'against',
  kind: 'text',
  min: 1,
  max: 36,
  form: {
    pattern: /^(draft|published|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/,
    words: 'draft, published or the id of a version',
  },
  about: 'State to compare with: `draft`, `published` or the id of a version. Adds `diff`: what changed from it to this version.',
  example: 'published',
});

@Accepts()
export class RestoreVersion {
  @TextList({ omittable: true, min: 1, max: 50, about: 'Locales to restore; all when omitted.', example: ['de'] }) locales?: string[];
}

@Answer()
class DiffedBlockView {
  @Text({ about: '`_uid` of the block.', example: UID.example }) uid!: string;
  @Text({ about: 'Component of the block.', example: 'hero' }) component!: string;
  @Text({ max: 200, about: 'List that it is in, `<_uid>.<key>`.', example: 'page-7Qk2fM9a.body' }) path!: string;
}

@Answer()
class BlockPlaceView {
  @Text({ max: 200, about: 'List, `<_uid>.<key>`.', example: 'page-7Qk2fM9a.body' }) path!: string;
  @Whole({ about: 'Position in the list, from 0.', example: 2 }) position!: number;
}

@Answer()
class MovedBlockView {
  @Text({ about: '`_uid` of the block.', example: UID.example }) uid!: string;
  @Text({ about: 'Component of the block.', example: 'hero' }) component!: string;
  @Nested(() => BlockPlaceView, { about: 'Where it was.' }) from!: BlockPlaceView;
  @Nested(() => BlockPlaceView, { about: 'Where it is.' }) to!: BlockPlaceView;
}

@Answer()
class ChangedValueView {
  @Text({ max: 200, about: '`<_uid>.<key>`, or `seo.<key>`.', example: `${UID.example}.headline` }) path!: string;
  @Json({ optional: true, isOfAnyType: true, max: 512 * 1024, about: 'Value before; null if there was none.' }) from!: JsonValue;
  @Json({ optional: true, isOfAnyType: true, max: 512 * 1024, about: 'Value after; null if there is none.' }) to!: JsonValue;
  @Json({ optional: true, isOfAnyType: true, max: 512 * 1024, about: 'Words of a text that changed; null for other values.' })
  text_diff!: JsonValue;
}

@Answer()
export class VersionDiffView {
  @NestedList(() => DiffedBlockView, { about: 'Blocks that were added.' }) added!: DiffedBlockView[];
  @NestedList(() => DiffedBlockView, { about: 'Blocks that were removed.' }) removed!: DiffedBlockView[];
  @NestedList(() => MovedBlockView, { about: 'Blocks that are elsewhere.' }) moved!: MovedBlockView[];
  @NestedList(() => ChangedValueView, { about: 'Values that changed.' }) changed!: ChangedValueView[];
}

@Answer()
export class PageVersionDetailView extends PageVersionView {
  @Text(LOCALE) locale!: string;
  @Json({ ...CONTENT, about: 'Content of the version in the locale.' }) ver_content!: JsonObject;
  @Json({ about: 'Metadata for search engines of the version in the locale.', example: { title: 'Desk lamps' } }) ver_seo!: JsonObject;
  @Nested(() => VersionDiffView, { optional: true, about: 'What differs from the state in `against`; null without it.' })
  diff!: VersionDiffView | null;
}
