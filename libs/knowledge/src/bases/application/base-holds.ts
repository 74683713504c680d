import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HoldTargets, LegalHolds, PersonDataSources } from '@atrium/governance';
import { requireScope, sql } from '@atrium/platform/database';
import { HOLD_OF_RECORD, holdOfBaseWith, holdOfRecordWith } from '../infrastructure/base-holds.rows';
import { BasesRepository } from '../infrastructure/bases.repository';

/** Legal holds on bases: a held one keeps its records with their versions, its documents and their files, and itself. */
@Injectable()
export class BaseHolds implements OnModuleInit {
  constructor(
    private readonly bases: BasesRepository,
    private readonly targets: HoldTargets,
    private readonly holds: LegalHolds,
    private readonly people: PersonDataSources,
  ) {}

  onModuleInit(): void {
    this.keepFromErasure();
    this.targets.register('knowledge_base', (id) => this.bases.hasBase(id));
    this.targets.registerFileHold(
      (file_id, live) =>
        sql`SELECT h.lh_id FROM ${live('knowledge_base')} h JOIN ds_file l ON l.tenant_id = ${requireScope().tenant_id} AND l.ds_id = h.lh_target_id AND l.file_id = ${file_id}`,
    );
    this.targets.registerFileHold(
      (file_id, live) =>
        sql`SELECT h.lh_id FROM ${live('knowledge_base')} h JOIN file o ON o.tenant_id = ${requireScope().tenant_id} AND o.file_id = ${file_id} AND o.repo_type = 'ds' AND o.repo_id = h.lh_target_id`,
    );
  }

  /** Also from an erasure of somebody whom they mention. */
  private keepFromErasure(): void {
    this.people.registerHold('knowledge_base', () => holdOfBaseWith(sql`r.ds_id`));
    this.people.registerHold('knowledge_record', () => HOLD_OF_RECORD);
    this.people.registerHold('knowledge_record_version', () => holdOfRecordWith(sql`r.rec_id`));
  }

  /** Refuses what would let something of a held base go; in a writing unit of work. */
  assertNone(ds_id: string): Promise<void> {
    return this.holds.assertNone('knowledge_base', ds_id);
  }

  isHeld(ds_id: string): Promise<boolean> {
    return this.holds.isHeld('knowledge_base', ds_id);
  }

  /** In the unit of work that removes something of a base for good: whether it may, and nobody puts a hold until its end. */
  async mayRemove(ds_id: string): Promise<boolean> {
    await this.holds.blockNewHolds();
    return this.bases.isUnheld(ds_id);
  }

  blockNewHolds(): Promise<void> {
    return this.holds.blockNewHolds();
  }
}
