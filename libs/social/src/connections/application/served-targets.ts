import { Injectable } from '@nestjs/common';
import { TargetsRepository, type ServedTarget } from '../infrastructure/targets.repository';

/** Why posts cannot be sent as a target now. */
export interface TargetRefusal {
  readonly code: 'disconnected' | 'connection_revoked' | 'connection_expired' | 'target_disabled' | 'missing_scope';
  readonly message: string;
}

/** Targets for areas that post as them; within a unit of work. */
@Injectable()
export class ServedTargets {
  constructor(private readonly targets: TargetsRepository) {}

  findTargets(ids: readonly string[]): Promise<ReadonlyMap<string, ServedTarget>> {
    return ids.length === 0 ? Promise.resolve(new Map()) : this.targets.findServedTargets([...new Set(ids)]);
  }

  /** Locks targets in the order of their ids, so that of two who choose a time for them the second sees the choice of the first. */
  async lockTargets(ids: readonly string[]): Promise<void> {
    await this.targets.lockMany(ids);
  }

  forbidStats(tgt_id: string): Promise<void> {
    return this.targets.forbidStats(tgt_id);
  }

  readWorkspaceZone(): Promise<string> {
    return this.targets.readWorkspaceZone();
  }
}

export function refusalOfTarget({ con_status, con_removed, tgt_enabled, tgt_can, tgt_name }: ServedTarget): TargetRefusal | null {
  if (con_removed !== null)
    return { code: 'disconnected', message: `The account that posts as ${tgt_name} was disconnected. Connect it again.` };
  if (con_status === 'revoked')
    return { code: 'connection_revoked', message: `The access to ${tgt_name} was revoked. Connect the account again.` };
  if (con_status === 'expired')
    return { code: 'connection_expired', message: `The access to ${tgt_name} has expired. Connect the account again.` };
  if (!tgt_can.post) return { code: 'missing_scope', message: `The connected account can no longer post as ${tgt_name}.` };
  if (!tgt_enabled) return { code: 'target_disabled', message: `The target ${tgt_name} is disabled.` };
  return null;
}

export type { ServedTarget };
