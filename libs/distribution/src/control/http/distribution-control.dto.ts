import { Choice, Flag, IdList, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Restriction } from '../domain/restriction';
import { RULE_EFFECTS, RULE_KINDS } from '../domain/rules';
import { ReleaseBody } from './release.dto';

const OPTIONAL = ['dr_description', 'dr_timezone', 'dr_baseline', 'dr_active'] as const;

export class CreateRestriction extends Body(Restriction, {
  required: ['dr_name', 'dr_kind', 'dr_effect', 'dr_values'],
  optional: OPTIONAL,
}) {}

export class ChangeRestriction extends Body(Restriction, { optional: ['dr_name', 'dr_effect', 'dr_values', ...OPTIONAL] }) {}

export class ListRestrictions extends ListQuery(Restriction) {}

/** Query of PATCH /distribution/restrictions/{id}. */
export class TryRestriction {
  dry_run?: boolean;
}
acceptParameter(
  TryRestriction,
  { name: 'dry_run', kind: 'flag' },
  { type: 'boolean', default: false, description: 'Whether to change nothing and return 200 with the effects of the change.' },
);

/** Query of DELETE /distribution/restrictions/{id}. */
export class DeleteRestriction {
  detach?: boolean;
}
acceptParameter(
  DeleteRestriction,
  { name: 'detach', kind: 'flag' },
  { type: 'boolean', default: false, description: 'Whether to remove it from the publications that use it.' },
);

@Answer()
export class RestrictionView extends View(Restriction) {}

export class RestrictionPage extends PageOf(RestrictionView) {}

@Answer()
export class SavedRestriction extends RestrictionView {
  @TextList({ about: 'Other restrictions with which it has no values in common.' }) warnings!: string[];
}

@Answer()
export class BlockedPublication {
  @Ref({ about: 'Id of the publication.' }) pub_id!: string;
  @Text({ about: 'Name of the published file.' }) pub_file_name!: string;
  @Text({ optional: true, max: 600, format: 'uri', about: 'Public URL of the publication.' }) pub_url!: string | null;
  @TextList({ about: 'Territories that would lose access.', example: ['FR'] }) newly_blocked!: string[];
}

@Answer()
export class RestrictionImpact {
  @Whole({ about: 'Number of affected publications.', example: 12 }) affected!: number;
  @TextList({ about: 'Territories that would lose access to at least one publication (ISO 3166-1 alpha-2).', example: ['FR'] })
  newly_blocked!: string[];
  @NestedList(() => BlockedPublication, { about: 'The newest affected publications, at most 10.' }) sample!: BlockedPublication[];
}

@Accepts()
export class SetBaseline {
  @IdList({ max: 50, about: 'Active restrictions of the new baseline.' })
  restriction_ids!: string[];
}

@Answer()
export class BaselineView {
  @IdList({ about: 'Active restrictions of the baseline.' }) restriction_ids!: string[];
  @NestedList(() => RestrictionView, { about: 'Details of the restrictions.' }) restrictions!: RestrictionView[];
}

@Accepts()
export class EvaluateBody {
  @Ref({ omittable: true, about: 'Publication to evaluate.' }) pub_id?: string;
  @Ref({ omittable: true, about: 'File whose publication is evaluated.' }) file_id?: string;
  @Ref({ omittable: true, about: 'Share link to evaluate.' }) share_id?: string;
  @Nested(() => ReleaseBody, {
    optional: true,
    about: 'Unsaved rules that replace those of the publication. Alone or with `pub_id` or `file_id`.',
  })
  policy?: ReleaseBody | null;
  @Text({ optional: true, max: 2, about: 'Country of the client (ISO 3166-1 alpha-2). Null or omitted: unknown.', example: 'FR' })
  country?: string | null;
  @Text({
    optional: true,
    max: 253,
    about: 'Host of the referring page. Null or omitted: the request names none.',
    example: 'partner.example',
  })
  host?: string | null;
  @Text({ optional: true, max: 45, about: 'IP address of the client.', example: '203.0.113.7' }) ip?: string | null;
  @Text({ optional: true, max: 512, about: 'User-Agent, or one of browser, bot, ai-crawler, other.', example: 'browser' }) agent?:
    string | null;
  @Stamp({ omittable: true, about: 'Time of the request. Default: now.' }) at?: Date;
}

@Answer()
export class TraceView {
  @Text({ about: 'Name of the test.', example: 'Not in France' }) rule!: string;
  @Ref({ optional: true, about: 'Restriction of the test. Null if there is none.' }) rule_id!: string | null;
  @Choice(['baseline', 'restriction', 'deny', 'window', 'state'], { about: 'Source of the rule.' }) source!: string;
  @Choice(RULE_KINDS, { optional: true, about: 'Property of the request that it tests.' }) kind!: string | null;
  @Choice(RULE_EFFECTS, { optional: true, about: 'Effect of a match.' }) effect!: string | null;
  @Flag({ about: 'Whether the rule matched.' }) matched!: boolean;
}

@Answer()
export class EvaluationView {
  @Choice(['allow', 'refuse'], { about: 'Whether the file would be delivered.' }) decision!: string;
  @Whole({ about: 'HTTP status of the response.', example: 403 }) status!: number;
  @Text({ optional: true, about: 'Problem code of the response. Null if the file is delivered.', example: 'permission_denied' }) code!:
    string | null;
  @Text({
    optional: true,
    about:
      'Deciding property: territory, host, ip, window, agent; draft, embargo, revoked, ended, copying, suspended, lapsed. Null if the file is delivered.',
    example: 'territory',
  })
  reason!: string | null;
  @NestedList(() => TraceView, { about: 'Tests in the order of evaluation; the first refusal decides.' }) trace!: TraceView[];
}

@Answer()
export class TerritoryView {
  @Text({ sort: true, filter: 'equals', about: 'ISO 3166-1 alpha-2 code.', example: 'FR' }) code!: string;
  @Text({ sort: true, filter: 'contains', about: 'English name.', example: 'France' }) name!: string;
}

@Answer()
export class TerritoryGroupView {
  @Text({ about: 'Code used in rules.', example: 'EFTA' }) code!: string;
  @TextList({ about: 'Codes of its members.', example: ['CH', 'IS', 'LI', 'NO'] }) members!: string[];
}

@Answer()
export class TerritoryPage extends PageOf(TerritoryView) {
  @NestedList(() => TerritoryGroupView, { about: 'Groups that rules may name; included on every page.' }) groups!: TerritoryGroupView[];
}

export class ListTerritories extends ListQuery(TerritoryView, { whole: true }) {}
