import { Decimal, Id, Resource, TenantRow } from '@atrium/platform/database';

/** What was spent of one budget in one period, by whom. */
@Resource({ table: 'budget_counter', sort: 'cnt_subject', isFoundById: false })
export class Spending extends TenantRow {
  @Id({ filter: undefined }) readonly cnt_subject!: string;
  @Decimal({ about: 'Spent credits.' }) readonly cnt_spent!: number;
}
