import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspaceCounters, WorkspaceStarts, type StartingWorkspace } from '@atrium/identity';
import { Audit, changesBetween } from '@atrium/platform/access';
import { Database, enterWorkspace, requireScope } from '@atrium/platform/database';
import { Clock, Ids, invalidField, invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { amountText, Grant, LEAST_CREDITS, MAX_CREDITS, type CreditPolicy } from '../domain/credits';
import { CreditsRows, type CreditState, type GrantRow } from '../infrastructure/credits.rows';
import { CREDITS_AUDIT } from './credits.service';

/** What is said of credits that are given. */
export interface NewGrant {
  readonly grant_credits: number;
  readonly grant_priority?: number;
  readonly grant_source?: Grant['grant_source'];
  readonly grant_starts_at?: Date;
  readonly grant_expires_at?: Date | null;
  readonly grant_recurs?: Grant['grant_recurs'];
  readonly grant_note?: string | null;
  readonly grant_external_id?: string | null;
}

/** Credits as operators move them: given, corrected, taken back; each in the workspace it names, with an audit event there. */
@Injectable()
export class CreditOperations implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly rows: CreditsRows,
    private readonly starts: WorkspaceStarts,
    private readonly counters: WorkspaceCounters,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  onModuleInit(): void {
    this.starts.register({ context: 'governance', setUpWorkspace: (workspace) => this.begin(workspace) });
    this.counters.register({
      counts: ['balance'],
      countPerWorkspace: async (tx, ws_ids) =>
        new Map([...(await this.rows.readBalances(tx, ws_ids))].map(([ws_id, balance]) => [ws_id, { balance }])),
    });
  }

  /** A grant; under an outside reference that was used before, the one that is there. */
  grantCredits(ws_id: string, facts: NewGrant): Promise<{ readonly grant: GrantRow; readonly made: boolean }> {
    return this.inside(ws_id, async () => {
      const { grant_id, made } = await this.give(facts);
      const grant = await this.rows.findGrant(grant_id);
      if (!grant) throw notFound('grant');
      return { grant, made };
    });
  }

  setPolicy(ws_id: string, credit_policy: CreditPolicy): Promise<CreditState> {
    return this.inside(ws_id, async () => {
      const before = await this.rows.updatePolicy(credit_policy, null);
      this.audit.record({
        type: CREDITS_AUDIT['credits.updated'],
        target: { type: 'workspace', id: ws_id },
        ...changesBetween(before, { ...before, credit_policy }),
      });
      return this.rows.readCreditState();
    });
  }

  correctBalance(ws_id: string, credits: number, note: string): Promise<CreditState> {
    if (Math.abs(credits) < LEAST_CREDITS) throw invalidField('led_credits', 'must not be zero', 'zero');
    const amount = amountText('led_credits', credits);
    return this.inside(ws_id, async () => {
      await this.rows.correctBalance(amount, note);
      this.audit.record({
        type: CREDITS_AUDIT['credits.corrected'],
        target: { type: 'workspace', id: ws_id },
        after: { led_credits: credits },
        reason: note,
      });
      return this.rows.readCreditState();
    });
  }

  /** Takes a usage entry back, once. */
  reverseUsage(
    ws_id: string,
    usage_id: string,
    note: string | null,
  ): Promise<{ readonly usage_id: string; readonly usage_reverses: string }> {
    const correction = this.ids.next();
    return this.inside(ws_id, async () => {
      const outcome = await this.rows.reverseUsage(usage_id, correction, note);
      if (outcome === 'unknown') throw notFound('usage entry');
      if (outcome === 'twice') throw invalidState('The entry has already been reversed.');
      if (outcome === 'correction') throw invalidState('The entry is a reversal itself and cannot be reversed.');
      this.audit.record({
        type: CREDITS_AUDIT['usage.reversed'],
        target: { type: 'usage_entry', id: usage_id },
        after: { usage_reversed_by: correction },
        reason: note,
      });
      return { usage_id: correction, usage_reverses: usage_id };
    });
  }

  private async begin({ initial_credits }: StartingWorkspace): Promise<void> {
    if (initial_credits) await this.give({ grant_credits: initial_credits, grant_source: 'plan', grant_note: 'Initial credits' });
  }

  /** Within the open unit of work of the workspace. */
  private async give(facts: NewGrant): Promise<{ readonly grant_id: string; readonly made: boolean }> {
    const {
      grant_credits,
      grant_priority = 50,
      grant_source = 'adjustment',
      grant_recurs = 'none',
      grant_note = null,
      grant_external_id = null,
      grant_expires_at = null,
    } = facts;
    if (!(grant_credits >= LEAST_CREDITS && grant_credits <= MAX_CREDITS))
      throw invalidField('grant_credits', `must be between ${LEAST_CREDITS} and ${MAX_CREDITS}`, 'range');
    if (!(grant_priority >= 1 && grant_priority <= 100)) throw invalidField('grant_priority', 'must be between 1 and 100', 'range');
    const { actor } = requireScope();
    const now = this.clock.now();
    const grant_starts_at = facts.grant_starts_at && facts.grant_starts_at > now ? facts.grant_starts_at : null;
    if (grant_expires_at && grant_expires_at <= (grant_starts_at ?? now))
      throw invalidField('grant_expires_at', 'must be after the start of the grant', 'range');
    const grant = {
      grant_id: this.ids.next(),
      grant_credits: amountText('grant_credits', grant_credits),
      grant_priority,
      grant_source,
      grant_starts_at,
      grant_expires_at,
      grant_recurs,
      grant_note,
      grant_external_id,
      grant_created_by: actor.name ?? actor.user_id ?? actor.kind,
    };
    const given = await this.rows.grantCredits(grant);
    if (given.made) {
      this.audit.record({
        type: CREDITS_AUDIT['credits.granted'],
        target: { type: 'credit_grant', id: given.grant_id },
        after: { grant_credits, grant_source, grant_recurs, grant_external_id },
        reason: grant_note,
      });
    }
    return given;
  }

  private inside<T>(ws_id: string, work: () => Promise<T>): Promise<T> {
    return enterWorkspace(ws_id, () =>
      this.db.write(async () => {
        if (!(await this.rows.hasWorkspace())) throw noSuchWorkspace();
        return work();
      }),
    );
  }
}

export const noSuchWorkspace = (): Problem => new Problem('not_found', 'No such workspace.');
