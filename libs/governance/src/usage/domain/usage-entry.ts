import { Choice, Decimal, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { USAGE_PARAM_NAMES } from '../../credits/domain/usage-params';

/** One charge: what was used, when, by whom and for what. Entries are added and never changed; a mistake is met by an entry that reverses it. */
@Resource({ table: 'usage_entry', sort: '-usage_timestamp', isFoundById: false })
export class UsageEntry extends TenantRow {
  @Id({ about: 'Id of the entry.', filter: undefined }) readonly usage_id!: string;
  @Stamp({ about: 'When the work ended.', sort: true }) readonly usage_timestamp!: Date;
  @Ref({ optional: true, about: 'Who caused it; null: the system.' }) readonly usage_user!: string | null;
  @Choice(USAGE_PARAM_NAMES, { about: 'What was counted.', example: 'ai.output_tokens' }) readonly usage_param!: string;
  @Text({ max: 200, about: 'The variant: a model, a format; empty where there is none.', example: 'local/small' })
  readonly usage_details!: string;
  @Decimal({ about: 'How much, in the unit of the parameter; below zero on a correction.', example: 1280 })
  readonly usage_consumed_units!: number;
  @Decimal({ about: 'What it cost, in credits, to the millionth.', example: 0.0768, sort: 'usage_consumed_credits_key' })
  readonly usage_consumed_credits!: number;
  @Ref({ about: 'The price it was charged at.' }) readonly usage_cost_id!: string;
  @Ref({ optional: true, about: 'The agent it was used for.' }) readonly usage_agent!: string | null;
  @Ref({ optional: true, about: 'The prompt it was used for.' }) readonly usage_prompt!: string | null;
  @Ref({ optional: true, about: 'The API key that was used.' }) readonly usage_key!: string | null;
  @Ref({ optional: true, about: 'The extension that acted.' }) readonly usage_extension!: string | null;
  @Json({ about: 'Ids of what it belongs to: thread_id, message_id, job_id, file_id …', example: {} }) readonly usage_ref!: JsonObject;
  @Ref({ optional: true, about: 'The entry that this one corrects.' }) readonly usage_reverses!: string | null;
}
