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
  { type: 'boolean', default: false, description: 'Change nothing; answer 200 with what the change would block.' },
);

/** Query of DELETE /distribution/restrictions/{id}. */
export class DeleteRestriction {
  detach?: boolean;
}
acceptParameter(
  DeleteRestriction,
  { name: 'detach', kind: 'flag' },
  { type: 'boolean', default: false, description: 'Take it out of the publications that name it.' },
);

@Answer()
export class RestrictionView extends View(Restriction) {}

export class RestrictionPage extends PageOf(RestrictionView) {}

@Answer()
export class SavedRestriction extends RestrictionView {
  @TextList({ about: 'Warnings: other rules with which it has nothing in common.' }) warnings!: string[];
}

@Answer()
export class BlockedPublication {
  @Ref({ about: 'The publication.' }) pub_id!: string;
  @Text({ about: 'Name of its file.' }) pub_file_name!: string;
  @Text({ optional: true, max: 600, format: 'uri', about: 'Its address.' }) pub_url!: string | null;
  @TextList({ about: 'Territories that would no longer get it.', example: ['FR'] }) newly_blocked!: string[];
}

@Answer()
export class RestrictionImpact {
  @Whole({ about: 'Publications it applies to.', example: 12 }) affected!: number;
  @TextList({ about: 'Territories that get one of them now and would not then (ISO 3166-1 alpha-2).', example: ['FR'] })
  newly_blocked!: string[];
  @NestedList(() => BlockedPublication, { about: 'The newest of them, at most 10.' }) sample!: BlockedPublication[];
}

@Accepts()
export class SetBaseline {
  @IdList({ max: 50, about: 'Active restrictions; exactly these apply to everything that leaves the workspace.' })
  restriction_ids!: string[];
}

@Answer()
export class BaselineView {
  @IdList({ about: 'The restrictions of the baseline that are active.' }) restriction_ids!: string[];
  @NestedList(() => RestrictionView, { about: 'What they say.' }) restrictions!: RestrictionView[];
}

@Accepts()
export class EvaluateBody {
  @Ref({ omittable: true, about: 'A publication.' }) pub_id?: string;
  @Ref({ omittable: true, about: 'A file: its publication is evaluated.' }) file_id?: string;
  @Ref({ omittable: true, about: 'A share link.' }) share_id?: string;
  @Nested(() => ReleaseBody, {
    optional: true,
    about: 'Rules that are not saved yet, instead of those of the publication; alone or with `pub_id` or `file_id`.',
  })
  policy?: ReleaseBody | null;
  @Text({ optional: true, max: 2, about: 'Country of the client (ISO 3166-1 alpha-2); null or absent: unknown.', example: 'FR' })
  country?: string | null;
  @Text({
    optional: true,
    max: 253,
    about: 'Host of the page it comes from; null or absent: the request names none.',
    example: 'partner.example',
  })
  host?: string | null;
  @Text({ optional: true, max: 45, about: 'Address of the client.', example: '203.0.113.7' }) ip?: string | null;
  @Text({ optional: true, max: 512, about: 'User-Agent, or one of browser, bot, ai-crawler, other.', example: 'browser' }) agent?:
    string | null;
  @Stamp({ omittable: true, about: 'Time of the request; now by default.' }) at?: Date;
}

@Answer()
export class TraceView {
  @Text({ about: 'The test.', example: 'Not in France' }) rule!: string;
  @Ref({ optional: true, about: 'The restriction; null where it is none.' }) rule_id!: string | null;
  @Choice(['baseline', 'restriction', 'deny', 'window', 'state'], { about: 'Where it comes from.' }) source!: string;
  @Choice(RULE_KINDS, { optional: true, about: 'Property of the request that it tests.' }) kind!: string | null;
  @Choice(RULE_EFFECTS, { optional: true, about: 'What it does when it matches.' }) effect!: string | null;
  @Flag({ about: 'Whether it matched.' }) matched!: boolean;
}

@Answer()
export class EvaluationView {
  @Choice(['allow', 'refuse'], { about: 'Whether the bytes would be served.' }) decision!: string;
  @Whole({ about: 'HTTP status of the answer.', example: 403 }) status!: number;
  @Text({ optional: true, about: 'Problem code of the answer; null when it is served.', example: 'permission_denied' }) code!:
    string | null;
  @Text({
    optional: true,
    about:
      'What decided: territory, host, ip, window, agent; draft, embargo, revoked, ended, copying, suspended, lapsed. Null when it is served.',
    example: 'territory',
  })
  reason!: string | null;
  @NestedList(() => TraceView, { about: 'Every test in its order; the first that refuses decides.' }) trace!: TraceView[];
}

@Answer()
export class TerritoryView {
  @Text({ sort: true, filter: 'equals', about: 'ISO 3166-1 alpha-2.', example: 'FR' }) code!: string;
  @Text({ sort: true, filter: 'contains', about: 'Name in English.', example: 'France' }) name!: string;
}

@Answer()
export class TerritoryGroupView {
  @Text({ about: 'What rules name it.', example: 'EFTA' }) code!: string;
  @TextList({ about: 'Its members.', example: ['CH', 'IS', 'LI', 'NO'] }) members!: string[];
}

@Answer()
export class TerritoryPage extends PageOf(TerritoryView) {
  @NestedList(() => TerritoryGroupView, { about: 'Groups that rules may name; all of them on every page.' }) groups!: TerritoryGroupView[];
}

export class ListTerritories extends ListQuery(TerritoryView, { whole: true }) {}
