import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import { join, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { HoldTargetType } from '../domain/legal-hold';

/** Whether the workspace at hand has it; asked in the open unit of work. */
export type HoldTargetSource = (id: string) => Promise<boolean>;

/** A statement that selects the `lh_id` of live holds that keep the file of the given id: `SELECT h.lh_id FROM ${live('album')} h JOIN … WHERE …`. */
export type HoldOfFile = (file_id: Sql, live: LiveHolds) => Sql;

/** The live holds of the workspace at hand on one kind of target, to select from: `lh_id`, `lh_target_id`. */
export type LiveHolds = (type: HoldTargetType) => Sql;

const liveHolds: LiveHolds = (type) =>
  sql`(SELECT lh_id, lh_target_id FROM legal_hold WHERE tenant_id = ${requireScope().tenant_id} AND lh_target_type = ${type} AND lh_released_at IS NULL)`;

/**
 * What can be held. The context that owns a kind of target registers it here, and so do contexts through whose rows a
 * hold reaches files, such as albums; what nobody registered cannot be held.
 */
@Injectable()
export class HoldTargets {
  private readonly sources = new Map<HoldTargetType, HoldTargetSource>();
  private readonly ways: HoldOfFile[] = [];

  constructor(members: KnownMembers) {
    this.register('user', (id) => members.hasMember(id));
  }

  register(type: HoldTargetType, source: HoldTargetSource): void {
    this.sources.set(type, source);
  }

  /** Another relation through which a hold reaches files. */
  registerFileHold(way: HoldOfFile): void {
    this.ways.push(way);
  }

  async hasTarget(type: HoldTargetType, id: string): Promise<boolean> {
    return (await this.sources.get(type)?.(id)) ?? false;
  }

  /** An expression over a file's id: a live hold that keeps it, or null. */
  holdOfFile(file_id: Sql): Sql {
    if (this.ways.length === 0) return sql`(SELECT NULL::uuid WHERE false)`;
    return sql`(SELECT held.lh_id FROM (${join(
      this.ways.map((way) => way(file_id, liveHolds)),
      ' UNION ALL ',
    )}) held LIMIT 1)`;
  }
}
