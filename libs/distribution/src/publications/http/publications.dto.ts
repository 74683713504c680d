import { Choice, IdList, Json, Nested, NestedList, Ref, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Publication } from '../domain/publication';
import { EdgeConfirmation, PublicationEvent } from '../domain/publication-event';
import { RULE_EFFECTS, RULE_KINDS } from '../../control/domain/rules';
import { ReleaseBody } from '../../control/http/release.dto';

/** What is released. */
@Accepts()
export class PublishBody extends ReleaseBody {
  @Text({
    optional: true,
    max: 500,
    about: 'Reason to publish the file although a person shown in it has not consented; required in that case.',
  })
  comment?: string | null;
}

@Accepts()
export class PublishMany extends ReleaseBody {
  @IdList({ min: 1, max: 500, about: 'Files to publish with the same rules.' }) file_ids!: string[];
}

@Accepts()
export class UnpublishMany {
  @IdList({ min: 1, max: 500, about: 'Files to unpublish.' }) file_ids!: string[];
}

@Accepts()
export class RefreshMany {
  @IdList({ omittable: true, min: 1, max: 500, about: 'Files to update. Default: every stale publication.' }) file_ids?: string[];
}

export class ListPublications extends ListQuery(Publication, { extended: true }) {
  search?: string;
}
acceptParameter(
  ListPublications,
  { name: 'search', kind: 'text', min: 1, max: 200 },
  {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: 'Current or published file name, or URL, contains this text, ignoring case.',
  },
);

export class ListPublicationEvents extends ListQuery(PublicationEvent) {}

/** Query of GET /publications/stats. */
export class PublicationStatsQuery {
  pub_id?: string;
  from?: Date;
  to?: Date;
}
acceptParameter(
  PublicationStatsQuery,
  { name: 'pub_id', kind: 'id' },
  { type: 'string', format: 'uuid', description: 'Only this publication. Default: all publications that you may see.' },
);
acceptParameter(
  PublicationStatsQuery,
  { name: 'from', kind: 'stamp' },
  { type: 'string', format: 'date-time', description: 'First day (UTC). Default: 30 days up to `to`.' },
);
acceptParameter(
  PublicationStatsQuery,
  { name: 'to', kind: 'stamp' },
  { type: 'string', format: 'date-time', description: 'Last day (UTC). Default: today.' },
);

@Answer()
export class BaselineRuleView {
  @Ref({ about: 'The restriction.' }) dr_id!: string;
  @Text({ about: 'Name of the restriction.' }) dr_name!: string;
  @Choice(RULE_KINDS, { about: 'Property of the request that it tests.' }) dr_kind!: string;
  @Choice(RULE_EFFECTS, { about: 'Whether matching requests are refused, or all others.' }) dr_effect!: string;
  @TextList({ about: 'Values of the restriction.' }) dr_values!: string[];
  @Text({ optional: true, about: 'Time zone of time windows.' }) dr_timezone!: string | null;
}

@Answer()
class PublicationView extends View(Publication) {}

export class PublicationPage extends PageOf(PublicationView) {}

@Answer()
export class PublicationDetail extends PublicationView {
  @NestedList(() => BaselineRuleView, { about: 'Baseline of the workspace, which applies in addition.' })
  pub_baseline!: BaselineRuleView[];
}

Answer()(EdgeConfirmation);

@Answer()
class PublicationEventView extends View(PublicationEvent) {}

export class PublicationEventPage extends PageOf(PublicationEventView) {}

@Answer()
export class StatsLineView {
  @Whole({ about: 'Number of requests for which the file was delivered.', example: 1_204 }) hits!: number;
  @Whole({ about: 'Delivered bytes.', example: 2_986_319_104 }) bytes!: number;
  @Whole({ about: 'Number of refused requests.', example: 17 }) refusals!: number;
  @Json({ about: 'Refusals by reason.', example: { territory: 12, gone: 5 } }) refusals_by_reason!: object;
  @Json({ about: 'Refusals by country; `??`: unknown.', example: { FR: 12 } }) refusals_by_country!: object;
  @Json({ about: 'Hits by country.', example: { DE: 1_204 } }) hits_by_country!: object;
}

@Answer()
export class StatsDayView extends StatsLineView {
  @Text({ about: 'The day (UTC).', example: '2026-11-21' }) day!: string;
}

@Answer()
export class PublicationStatsView {
  @Text({ about: 'First day.', example: '2026-10-23' }) from!: string;
  @Text({ about: 'Last day.', example: '2026-11-21' }) to!: string;
  @Nested(() => StatsLineView, { about: 'Sum of all days.' }) total!: StatsLineView;
  @NestedList(() => StatsDayView, { about: 'Days with requests.' }) data!: StatsDayView[];
}
