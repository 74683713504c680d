import { Choice, Flag, Json, Nested, NestedList, Text, Whole } from '@atrium/platform/database';
import { Accepts, Answer, acceptParameter } from '@atrium/platform/http';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { RESOLUTIONS, type Resolution } from '../domain/sync-rules';
import { VERDICTS, type Verdict } from '../domain/verdict';
import { CmsLinkView } from './cms.dto';
import { CmsRunView } from './runs.dto';

const SIDES = ['local', 'remote', 'base'] as const;
const FIELD_STATUSES = ['same', 'local', 'remote', 'both_same', 'conflict'] as const;
const SIDE = { optional: true, isOfAnyType: true, max: 512 * 1024 } as const;

@Answer()
class ComparedFieldView {
  @Text({ max: 200, about: 'Field: `name`, `slug`, `seo.<key>` or `<_uid>.<key>`.', example: 'hero-3fA9kQ2x.headline' }) path!: string;
  @Text({ optional: true, about: 'Locale; null if the field is the same in every locale.', example: 'de' }) locale!: string | null;
  @Json({ ...SIDE, about: 'Value that both sides last had; null if there was none.' }) base!: JsonValue;
  @Json({ ...SIDE, about: 'Value here; null if there is none.' }) local!: JsonValue;
  @Json({ ...SIDE, about: 'Value in the CMS; null if there is none.' }) remote!: JsonValue;
  @Choice(FIELD_STATUSES, { about: 'Which side changed it.', example: 'conflict' }) status!: (typeof FIELD_STATUSES)[number];
}

@Answer()
export class ComparedPageView {
  @Choice(VERDICTS, { about: 'Result of the comparison.', example: 'conflict' }) verdict!: Verdict;
  @NestedList(() => ComparedFieldView, { about: 'Fields that differ.' }) fields!: ComparedFieldView[];
  @Flag({ about: 'Whether a merge needs no choices.' }) mergeable!: boolean;
  @Json({
    about: 'State of the page by locale: `local` here, `remote` in the CMS, where `*` means all locales.',
    example: { local: { en: 'published' }, remote: { '*': 'published' } },
  })
  publication!: JsonObject;
}

/** How a conflict is resolved: by one side, or by a value. */
@Accepts()
export class MergeChoiceBody {
  @Text({ min: 1, max: 200, about: 'Field of the conflict.', example: 'hero-3fA9kQ2x.headline' }) path!: string;
  @Text({ omittable: true, optional: true, max: 35, about: 'Locale of the conflict.', example: 'de' }) locale?: string | null;
  @Choice(SIDES, { omittable: true, about: 'Side whose value is taken.', example: 'remote' }) take?: (typeof SIDES)[number];
  @Json({ ...SIDE, omittable: true, about: 'Value in place of both; null for none.', example: 'Desk lamps' }) value?: JsonValue;
}

@Accepts()
export class MergePage {
  @Choice(RESOLUTIONS, { omittable: true, about: 'Side that wins conflicts without a choice. Default: manual.', example: 'local' })
  default?: Resolution;
  @NestedList(() => MergeChoiceBody, { omittable: true, max: 1_000, about: 'Choices for conflicts.' }) choices?: MergeChoiceBody[];
  @Flag({ omittable: true, about: 'Whether the result is sent to the CMS. Default: false.' }) push?: boolean;
  @Flag({ omittable: true, about: 'With `push`: whether it is published there. Default: false.' }) publish?: boolean;
}

@Answer()
export class MergedPageView extends CmsLinkView {
  @Nested(() => CmsRunView, { optional: true, about: 'Run that sends the page; null without `push`.' }) run!: CmsRunView | null;
}

@Answer()
class UnsupportedSchemaView {
  @Text({ about: 'Key of the content schema.', example: 'hero' }) tpl_key!: string;
  @Text({ about: 'What cannot be carried, and why.' }) reason!: string;
}

@Answer()
export class ExchangedSchemasView {
  @Whole({ about: 'Number of schemas created.', example: 4 }) created!: number;
  @Whole({ about: 'Number of schemas updated.', example: 1 }) updated!: number;
  @Whole({ about: 'Number of schemas deactivated.', example: 0 }) deactivated!: number;
  @NestedList(() => UnsupportedSchemaView, { about: 'What has no equivalent on the other side.' }) unsupported!: UnsupportedSchemaView[];
}

const SCAN_DIRECTIONS = ['pull', 'push', 'both'] as const;

/** Query of POST /sites/{id}/cms/scan. */
@Accepts()
export class ReadScan {
  direction?: (typeof SCAN_DIRECTIONS)[number];
}
acceptParameter(ReadScan, {
  name: 'direction',
  kind: 'choice',
  values: SCAN_DIRECTIONS,
  about: 'Direction whose changes are shown. All pages are compared in any case. Default: both.',
});
