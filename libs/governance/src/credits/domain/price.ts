import { Choice, Decimal, Flag, Id, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { MAX_CREDITS } from './credits';
import { USAGE_DETAILS, USAGE_PARAM_NAMES, type UsageParamName } from './usage-params';

/** Decimals that a price may have. */
export const PRICE_DECIMALS = 8;

/** What one unit of a parameter costs for a span of time. Versions never overlap; a new one ends the one before, and what was charged keeps its price. */
@Resource({ table: 'cost', sort: '-cost_valid_from', isFoundById: false })
export class Price extends TenantRow {
  @Id({ about: 'Id of this version of the price.', filter: undefined }) readonly cost_id!: string;
  @Choice(USAGE_PARAM_NAMES, { about: 'Usage parameter.', example: 'ai.output_tokens', filter: 'equals' })
  readonly cost_param!: UsageParamName;
  @Text({
    optional: true,
    max: 200,
    form: { pattern: USAGE_DETAILS, words: 'a text of letters from a to z, digits and . _ : @ / + -' },
    about: 'Variant of the parameter, such as a model. Null: every variant without a price of its own.',
    filter: 'equals',
  })
  readonly cost_details!: string | null;
  @Decimal({ min: 0, max: MAX_CREDITS, about: 'Credits per unit.', example: 0.00006 }) readonly cost_credits_per_unit!: number;
  @Stamp({ about: 'When the price becomes valid.', sort: true }) readonly cost_valid_from!: Date;
  @Stamp({ optional: true, about: 'When the price ends. Null: until a later price applies.' }) readonly cost_valid_to!: Date | null;
  @Flag({ about: '`true`: agreed for this workspace; `false`: list price.' }) readonly cost_workspace!: boolean;
  @Text({ optional: true, max: 500, about: 'Note.' }) readonly cost_note!: string | null;
  @Stamp({ about: 'When it was set.' }) readonly cost_created!: Date;
}
