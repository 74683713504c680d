import { Choice, Decimal, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { USAGE_PARAM_NAMES } from '../../credits/domain/usage-params';

/** One charge: what was used, when, by whom and for what. Entries are added and never changed; a mistake is met by an entry that reverses it. */
@Resource({ table: 'usage_entry', sort: '-usage_timestamp', isFoundById: false })
export class UsageEntry extends TenantRow {
  @Id({ about: 'Id of the entry.', filter: undefined }) readonly usage_id!: string;
  @Stamp({ about: 'When the work ended.', sort: true }) readonly usage_timestamp!: Date;
  @Ref({ optional: true, about: 'User who caused the usage; null for the system.' }) readonly usage_user!: string | null;
  @Choice(USAGE_PARAM_NAMES, { about: 'Usage parameter.', example: 'ai.output_tokens' }) readonly usage_param!: string;
  @Text({ max: 200, about: 'Variant, such as a model or format. Empty if there is none.', example: 'local/small' })
  readonly usage_details!: string;
  @Decimal({ about: 'Quantity in the unit of the parameter; negative for a correction.', example: 1280 })
  readonly usage_consumed_units!: number;
  @Decimal({ about: 'Cost in credits, with up to six decimals.', example: 0.0768, sort: 'usage_consumed_credits_key' })
  readonly usage_consumed_credits!: number;
  @Ref({ about: 'Price that was charged.' }) readonly usage_cost_id!: string;
  @Ref({ optional: true, about: 'Agent the usage is attributed to.' }) readonly usage_agent!: string | null;
  @Ref({ optional: true, about: 'Prompt the usage is attributed to.' }) readonly usage_prompt!: string | null;
  @Ref({ optional: true, about: 'The API key that was used.' }) readonly usage_key!: string | null;
  @Ref({ optional: true, about: 'Extension that made the request.' }) readonly usage_extension!: string | null;
  @Json({ about: 'Ids of related resources, such as `thread_id`, `message_id`, `job_id` and `file_id`.', example: {} })
  readonly usage_ref!: JsonObject;
  @Ref({ optional: true, about: 'The entry that this one corrects.' }) readonly usage_reverses!: string | null;
}
