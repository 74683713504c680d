import { CreditLedger, UsageMeter, type Charge, type Estimate, type Hold } from '@atrium/governance';
import { Database, inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { operatorOf } from '../support/operating';

/** What is reported of one grant. */
export interface GrantBody {
  readonly grant_id: string;
  readonly grant_remaining: number;
  readonly [field: string]: unknown;
}

export interface LedgerRow {
  readonly led_seq: number;
  readonly led_kind: string;
  readonly led_credits: number;
  readonly led_balance: number;
  readonly led_grant: string | null;
  readonly led_usage: string | null;
}

/** Credits of test workspaces: given by the operator, set aside and charged as a context does it. */
export class Crediting {
  private readonly db: Database;
  private readonly meter: UsageMeter;
  private readonly ledger: CreditLedger;

  constructor(private readonly api: RunningApi) {
    this.db = api.app.get(Database, { strict: false });
    this.meter = api.app.get(UsageMeter, { strict: false });
    this.ledger = api.app.get(CreditLedger, { strict: false });
  }

  /** A workspace with credits from one grant that does not expire. */
  async workspace(credits?: number): Promise<TestWorkspace> {
    const workspace = await this.api.workspace();
    if (credits) await this.grant(workspace, { grant_credits: credits });
    return workspace;
  }

  async grant({ tenant_id }: TestWorkspace, grant: object): Promise<GrantBody> {
    return (await operatorOf(this.api).post(`/workspaces/${tenant_id}/credits`, grant).expect(201)).body as GrantBody;
  }

  /** One unit of work that charges; a second of video costs one credit. */
  charge({ tenant_id }: TestWorkspace, ...charges: readonly Partial<Charge>[]): Promise<string[]> {
    return inWorkspace(tenant_id, () =>
      this.db.write(() =>
        Promise.resolve(
          charges.map((charge) =>
            this.meter.chargeUsage({ param: 'studio_video', units: 1, user: null, ref: {}, at: new Date(), source: newId(), ...charge }),
          ),
        ),
      ),
    );
  }

  reserve({ tenant_id }: TestWorkspace, estimate: Partial<Estimate>): Promise<Hold> {
    const amount = estimate.lines ? {} : { credits: 1 };
    return inWorkspace(tenant_id, () => this.ledger.reserveCredits({ ...amount, user: null, source: newId(), ...estimate }));
  }

  extend({ tenant_id }: TestWorkspace, hold_id: string): Promise<boolean> {
    return inWorkspace(tenant_id, () => this.ledger.extendHold(hold_id));
  }

  release({ tenant_id }: TestWorkspace, hold_id: string): Promise<void> {
    return inWorkspace(tenant_id, () => this.ledger.releaseHold(hold_id));
  }

  async available({ owner }: TestWorkspace): Promise<number> {
    return (await owner.client.get('/usage/balance').expect(200)).body.credit_available as number;
  }

  async rows({ owner }: TestWorkspace, filter = ''): Promise<LedgerRow[]> {
    return (await owner.client.get(`/admin/credits/ledger?limit=1000${filter}`).expect(200)).body.data as LedgerRow[];
  }

  async grants({ owner }: TestWorkspace): Promise<GrantBody[]> {
    return (await owner.client.get('/admin/credits/grants?limit=1000').expect(200)).body.data as GrantBody[];
  }

  /** Payloads of the events of one name, oldest first. */
  async told<T extends object>({ tenant_id }: TestWorkspace, name: string): Promise<T[]> {
    return (
      await this.api.sql<{ ev_payload: T }>(
        'SELECT ev_payload FROM outbox WHERE tenant_id = $1 AND ev_name = $2 ORDER BY ev_created, ev_id',
        [tenant_id, name],
      )
    ).map(({ ev_payload }) => ev_payload);
  }

  /** Moves the end of holds or grants into the past, as if that much time had gone by. */
  async expireHold({ tenant_id }: TestWorkspace, hold_id: string): Promise<void> {
    await this.api.sql("UPDATE credit_hold SET hold_expires_at = now() - interval '1 second' WHERE tenant_id = $1 AND hold_id = $2", [
      tenant_id,
      hold_id,
    ]);
  }

  async expireGrant({ tenant_id }: TestWorkspace, grant_id: string): Promise<void> {
    const past = "now() - interval '1 second'";
    await this.api.sql(
      `UPDATE credit_grant SET grant_starts_at = now() - interval '1 day', grant_expires_at = ${past}, grant_due = ${past} WHERE tenant_id = $1 AND grant_id = $2`,
      [tenant_id, grant_id],
    );
  }

  /** What must hold at every moment: the ledger has no gap, each row its balance, and their sum is the balance. */
  async audit({ tenant_id }: TestWorkspace): Promise<void> {
    const rows = await this.api.sql<{ led_seq: string; led_credits: string; led_balance: string; sum: string }>(
      'SELECT led_seq, led_credits, led_balance, sum(led_credits) OVER (ORDER BY led_seq) AS sum FROM credit_ledger WHERE tenant_id = $1 ORDER BY led_seq',
      [tenant_id],
    );
    expect(rows.map(({ led_seq }) => Number(led_seq))).toEqual(rows.map((_, i) => i + 1));
    expect(rows.filter(({ led_balance, sum }) => led_balance !== sum)).toEqual([]);
    const [state] = await this.api.sql<{ balance: string; left: string; charged: string; entries: string }>(
      `SELECT b.credit_balance AS balance, (SELECT coalesce(sum(grant_remaining), 0) FROM credit_grant g WHERE g.tenant_id = b.tenant_id AND grant_state IN ('active', 'used_up')) AS left,
              (SELECT coalesce(-sum(led_credits), 0) FROM credit_ledger l WHERE l.tenant_id = b.tenant_id AND led_usage IS NOT NULL) AS charged,
              (SELECT coalesce(sum(usage_consumed_credits), 0) FROM usage_entry e WHERE e.tenant_id = b.tenant_id) AS entries
       FROM credit_balance b WHERE b.tenant_id = $1`,
      [tenant_id],
    );
    if (!state) return;
    expect(Number(state.balance)).toBe(Number(rows.at(-1)?.led_balance ?? 0));
    expect(Number(state.charged)).toBe(Number(state.entries));
    expect(Number(state.left)).toBeLessThanOrEqual(Math.max(0, Number(state.balance)));
  }
}
