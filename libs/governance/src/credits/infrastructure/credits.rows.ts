import { Injectable } from '@nestjs/common';
import { columnsOf, currentScope, Database, requireScope, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import { causedBy } from '../../shared/infrastructure/caused-by';
import { Grant, type CreditPolicy } from '../domain/credits';

export type GrantRow = Omit<Grant, 'tenant_id' | 'row_version'>;

/** The balance of a workspace. */
export interface CreditState {
  readonly credit_balance: number;
  readonly credit_held: number;
  readonly credit_available: number;
  readonly credit_policy: CreditPolicy;
  readonly credit_low_percent: number;
  readonly credit_low: boolean;
  readonly credit_updated: string | null;
}

/** The outcome of a reservation: a hold, or what did not allow it. */
export type Reservation =
  | { readonly hold_id: string; readonly hold_credits: number; readonly hold_expires_at: string }
  | {
      readonly hold_id?: undefined;
      readonly needed: number;
      readonly available: number;
      readonly bud_id?: string;
      readonly bud_name?: string;
    };

/** The functions of the database that move credits; each is one statement, and takes the workspace from the open unit of work. */
@Injectable()
export class CreditsRows {
  constructor(private readonly db: Database) {}

  async readCreditState(): Promise<CreditState> {
    return (await this.tx.first<CreditState & { [column: string]: unknown }>(
      sql`SELECT * FROM credit_state(${requireScope().tenant_id}::uuid)`,
    )) as CreditState;
  }

  async reserveCredits(hold: object): Promise<Reservation> {
    const row = await this.tx.first<{ outcome: Reservation }>(
      sql`SELECT credit_reserve(${JSON.stringify(hold)}::jsonb, ${causedBy()}::jsonb) AS outcome`,
    );
    return row?.outcome as Reservation;
  }

  async extendHold(hold_id: string): Promise<boolean> {
    const row = await this.tx.first<{ kept: boolean }>(sql`SELECT credit_extend(${hold_id}::uuid) AS kept`);
    return row?.kept ?? false;
  }

  async releaseHold(hold_id: string): Promise<void> {
    await this.tx.execute(sql`SELECT credit_release(${hold_id}::uuid)`);
  }

  async grantCredits(grant: object): Promise<{ readonly grant_id: string; readonly made: boolean }> {
    const row = await this.tx.first<{ given: { grant_id: string; made: boolean } }>(
      sql`SELECT credit_give(${JSON.stringify(grant)}::jsonb, ${causedBy()}::jsonb) AS given`,
    );
    return row?.given as { grant_id: string; made: boolean };
  }

  findGrant(grant_id: string): Promise<GrantRow | undefined> {
    return this.tx.first<GrantRow>(
      sql`SELECT ${columnsOf(Grant)} FROM credit_grant r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.grant_id = ${grant_id}`,
    );
  }

  /** What charges lines of usage, as one statement. */
  chargeStatement(lines: readonly object[]): Sql {
    return sql`SELECT usage_charge(${JSON.stringify(lines)}::jsonb, ${causedBy()}::jsonb)`;
  }

  async correctBalance(credits: string, note: string): Promise<void> {
    await this.tx.execute(sql`SELECT credit_correct(${credits}::numeric, ${note}, ${causedBy()}::jsonb)`);
  }

  async reverseUsage(usage_id: string, correction_id: string, note: string | null): Promise<string> {
    const row = await this.tx.first<{ outcome: string }>(
      sql`SELECT usage_reverse(${usage_id}::uuid, ${correction_id}::uuid, ${note}, ${causedBy()}::jsonb) AS outcome`,
    );
    return row?.outcome ?? 'unknown';
  }

  /** What the settings were. */
  async updatePolicy(
    policy: CreditPolicy | null,
    lowPercent: number | null,
  ): Promise<{ readonly credit_policy: CreditPolicy; readonly credit_low_percent: number }> {
    const row = await this.tx.first<{ was: { credit_policy: CreditPolicy; credit_low_percent: number } }>(
      sql`SELECT credit_configure(${policy}, ${lowPercent}::integer, ${causedBy()}::jsonb) AS was`,
    );
    return row?.was as { credit_policy: CreditPolicy; credit_low_percent: number };
  }

  async processDueCredits(): Promise<void> {
    await this.tx.execute(sql`SELECT credit_tick(${causedBy()}::jsonb)`);
  }

  /** Workspaces of whose credits the clock asks something, a page at a time. */
  async findDueWorkspaces(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.db.acrossTenants((tx) =>
      tx.query<{ tenant_id: string }>('SELECT tenant_id FROM credits_due($1, $2)', [after, limit]),
    );
    return rows.map(({ tenant_id }) => tenant_id);
  }

  /** Whether the workspace at hand exists; an operator may name any. */
  async hasWorkspace(): Promise<boolean> {
    return (await this.tx.first(sql`SELECT 1 FROM workspace WHERE tenant_id = ${currentScope()?.tenant_id}`)) !== undefined;
  }

  /** What is left to workspaces, for many at once. */
  async readBalances(tx: UnitOfWork, ws_ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await tx.query<{ ws_id: string; available: number }>('SELECT ws_id, available FROM credit_balances($1::uuid[])', [ws_ids]);
    return new Map(rows.map(({ ws_id, available }) => [ws_id, available]));
  }

  private get tx(): UnitOfWork {
    return this.db.current();
  }
}
