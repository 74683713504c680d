import type { KeyObject } from 'node:crypto';
import { Clock, DAY } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import type { StoredEvent } from '../domain/audit-event';
import type { Break, StoredSeal, Verdict } from '../domain/audit-seal';
import { AuditSealRows } from '../infrastructure/audit-seals.rows';
import { redactionOf, rootOf, statementOf } from './seal-forms';
import { isSigned, SealKeys } from './seal-keys';

const AT_ONCE = 1_000;
/** No retention is shorter: a younger seal that says its events were removed is not believed. */
const SHORTEST_RETENTION_MS = 365 * DAY;

/** A range of time; open where a bound is missing. */
export interface VerifiedRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Called after each part; false ends the work. */
export type Checkpoint = (events: number, total: number) => Promise<boolean>;

/** Compares the trail with its seals, in their order, and names the first where it is not what was sealed. */
@Injectable()
export class AuditVerification {
  constructor(
    private readonly rows: AuditSealRows,
    private readonly keys: SealKeys,
    private readonly clock: Clock,
  ) {}

  /** How many events a verification would read. */
  async countEvents({ from, to }: VerifiedRange): Promise<number> {
    return (await this.rows.findSealRange(from, to)).events;
  }

  /** The verdict; null when a checkpoint ended the work. */
  async verifyRange({ from, to }: VerifiedRange, checkpoint: Checkpoint = () => Promise.resolve(true)): Promise<Verdict | null> {
    const extent = await this.rows.findSealRange(from, to);
    const keys = await this.keys.findPublicKeys();
    let [seals, events] = [0, 0];
    let previous = extent.first > 1 ? await this.rows.findSeal(extent.first - 1) : undefined;
    let next = from ? extent.first : 1;
    while (next <= extent.last) {
      const some = await this.rows.readSeals(next, extent.last, AT_ONCE);
      const bySeal = grouped(some.events);
      for (const seal of some.seals) {
        const under = bySeal.get(seal.seal_id) ?? [];
        const kind = seal.seal_seq === next ? this.fault(seal, previous, under, keys) : 'chain';
        seals += 1;
        events += under.length;
        if (kind) return { seals, events, valid: false, first_break: { seal_seq: next, kind } };
        previous = seal;
        next += 1;
      }
      if (some.seals.length === 0) return { seals, events, valid: false, first_break: { seal_seq: next, kind: 'chain' } };
      if (!(await checkpoint(events, extent.events))) return null;
    }
    if (await this.rows.hasOrphans(from, to)) return { seals, events, valid: false, first_break: { seal_seq: next, kind: 'chain' } };
    return { seals, events, valid: true };
  }

  private fault(
    seal: StoredSeal,
    previous: StoredSeal | undefined,
    events: readonly StoredEvent[],
    keys: ReadonlyMap<string, KeyObject>,
  ): Break['kind'] | null {
    if (!isSigned(statementOf(seal), seal.seal_signature, keys) || !isRedactedBySigner(seal, keys)) return 'signature';
    if (seal.seal_prev !== (previous?.seal_root ?? null)) return 'chain';
    if (seal.seal_removed !== null && this.clock.now().getTime() - Date.parse(seal.seal_from) > SHORTEST_RETENTION_MS) return null;
    if (events.length < seal.seal_count) return 'missing';
    if (events.length > seal.seal_count) return 'inserted';
    return rootOf(events) === (seal.seal_redacted_root ?? seal.seal_root) ? null : 'changed';
  }
}

/** What an erasure left under a seal is signed as the seal is. */
function isRedactedBySigner(
  { seal_redacted, seal_redacted_root, seal_redacted_signature, ...seal }: StoredSeal,
  keys: ReadonlyMap<string, KeyObject>,
): boolean {
  if (seal_redacted === null && seal_redacted_root === null) return true;
  return (
    seal_redacted !== null &&
    seal_redacted_root !== null &&
    isSigned(redactionOf({ ...seal, seal_redacted, seal_redacted_root }), seal_redacted_signature ?? '', keys)
  );
}

function grouped(events: readonly StoredEvent[]): ReadonlyMap<string | null, readonly StoredEvent[]> {
  const groups = new Map<string | null, StoredEvent[]>();
  for (const event of events) {
    const group = groups.get(event.aud_seal);
    if (group) group.push(event);
    else groups.set(event.aud_seal, [event]);
  }
  return groups;
}
