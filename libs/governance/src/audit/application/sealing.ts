import { inWorkspace, requireScope } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import type { StoredEvent } from '../domain/audit-event';
import type { SealStatement } from '../domain/audit-seal';
import { AuditSealRows } from '../infrastructure/audit-seals.rows';
import { rootOf, statementOf } from './seal-forms';
import { SealKeys } from './seal-keys';

const WORKSPACES = 100;
/** Events that one seal covers at most: as many as may be held in memory at once. */
const EVENTS = 1_000;

/**
 * Seals audit events: gapless numbers, each seal chained to the one before it and signed. The faster of two wins; nothing is
 * sealed twice.
 */
@Injectable()
export class Sealing {
  constructor(
    private readonly rows: AuditSealRows,
    private readonly keys: SealKeys,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Seals what has happened in all workspaces since; ends early when it is asked to. */
  async sealAll(signal: AbortSignal): Promise<void> {
    let after: string | null = null;
    for (;;) {
      const page: string[] = await this.rows.listUnsealedWorkspaces(after, WORKSPACES);
      for (const tenant_id of page) {
        if (signal.aborted) return;
        await inWorkspace(tenant_id, () => this.sealWorkspace());
      }
      const last = page.at(-1);
      if (last === undefined || page.length < WORKSPACES) return;
      after = last;
    }
  }

  /** Seals all events of the workspace at hand. */
  async sealWorkspace(): Promise<void> {
    for (;;) {
      const { events, last } = await this.rows.findUnsealedEvents(EVENTS);
      if (events.length === 0) return;
      const statement = this.statementOver(events, last);
      const seal = { ...statement, seal_signature: await this.keys.signSeal(statementOf(statement)) };
      await this.rows.insertSeal(
        seal,
        events.map(({ aud_id }) => aud_id),
      );
      if (events.length < EVENTS) return;
    }
  }

  private statementOver(
    events: readonly StoredEvent[],
    last: { readonly seal_seq: number; readonly seal_root: string } | undefined,
  ): SealStatement {
    const times = events.map(({ aud_timestamp }) => aud_timestamp).sort();
    return {
      tenant_id: requireScope().tenant_id,
      seal_id: this.ids.next(),
      seal_seq: (last?.seal_seq ?? 0) + 1,
      seal_from: times[0] ?? '',
      seal_to: times.at(-1) ?? '',
      seal_count: events.length,
      seal_root: rootOf(events),
      seal_prev: last?.seal_root ?? null,
      seal_created: this.clock.now().toISOString(),
    };
  }
}
