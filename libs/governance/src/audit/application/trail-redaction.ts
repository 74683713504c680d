import { Injectable } from '@nestjs/common';
import { FORMER_MEMBER } from '@atrium/identity';
import { Clock, type JsonObject } from '@atrium/platform/kernel';
import type { StoredEvent } from '../domain/audit-event';
import type { StoredSeal } from '../domain/audit-seal';
import { TrailRedactionRows, type FoundEvent, type NamingFields } from '../infrastructure/trail-redaction.rows';
import type { PersonRun } from '../../shared/application/person-data';
import { redactionOf, rootOf } from './seal-forms';
import { SealKeys } from './seal-keys';
import { Sealing } from './sealing';
import type { PersonSubject } from '../../shared/domain/person-subject';

const SEALS_AT_ONCE = 50;
const MOST_TRIES = 5;
const ERASED = '[erased]';
/** Facts of a membership that tell nothing of who somebody is. */
const IMPERSONAL: ReadonlySet<string> = new Set(['user_status', 'user_roles', 'user_kind', 'user_mfa']);

/**
 * Takes a person out of the audit trail: names, addresses and descriptions of them; who did what stays under their id.
 * What is not sealed yet is sealed first. Each seal touched gets a second, signed root over what remains, and only if
 * its events were what the first one says: an erasure hides no tampering.
 */
@Injectable()
export class TrailRedaction {
  constructor(
    private readonly rows: TrailRedactionRows,
    private readonly sealing: Sealing,
    private readonly keys: SealKeys,
    private readonly clock: Clock,
  ) {}

  /** How many events were changed. */
  async redactPerson(subject: PersonSubject, run: PersonRun): Promise<number> {
    await this.sealing.sealWorkspace();
    let total = 0;
    for (let left = MOST_TRIES; ;) {
      const seals = await this.rows.findSealsNaming(subject, FORMER_MEMBER, SEALS_AT_ONCE);
      if (seals.length === 0) return total;
      let changed = 0;
      for (const seal of seals) {
        run.signal.throwIfAborted();
        changed += await this.redactUnder(seal, subject);
        await run.heartbeat();
      }
      total += changed;
      if (changed === 0 && --left === 0) throw new Error('A person cannot be removed from events of the audit trail.');
    }
  }

  /** How many events under the seal were changed; none when another run was faster. */
  private async redactUnder(seal: StoredSeal, subject: PersonSubject): Promise<number> {
    const found = await this.rows.findSealedEvents(seal.seal_id, subject);
    const after = found.map((one) => ({ ...one.event, ...redacted(one, subject) }));
    const isIntact = rootOf(found.map(({ event }) => event)) === (seal.seal_redacted_root ?? seal.seal_root);
    const changed = after.filter((event, index) => JSON.stringify(event) !== JSON.stringify(found[index]?.event));
    return (await this.rows.writeRedaction(seal, changed, isIntact ? await this.sign(seal, after) : null)) ? changed.length : 0;
  }

  private async sign(
    { tenant_id, seal_id, seal_root }: StoredSeal,
    events: readonly StoredEvent[],
  ): Promise<{ at: string; root: string; signature: string }> {
    const [at, root] = [this.clock.now().toISOString(), rootOf(events)];
    return {
      at,
      root,
      signature: await this.keys.signSeal(redactionOf({ tenant_id, seal_id, seal_root, seal_redacted: at, seal_redacted_root: root })),
    };
  }
}

function redacted({ event, clean }: FoundEvent, { user_id }: PersonSubject): NamingFields {
  const { aud_actor, aud_target_type, aud_target_id } = event;
  const byThem = user_id !== null && aud_actor === user_id;
  const ofThem = user_id !== null && aud_target_type === 'user' && aud_target_id === user_id;
  return {
    aud_actor_name: byThem ? FORMER_MEMBER : clean.aud_actor_name,
    aud_target_name: ofThem ? FORMER_MEMBER : clean.aud_target_name,
    aud_before: ofThem ? impersonal(clean.aud_before) : clean.aud_before,
    aud_after: ofThem ? impersonal(clean.aud_after) : clean.aud_after,
    aud_reason: clean.aud_reason,
    aud_ip: byThem ? null : clean.aud_ip,
  };
}

/** One side of a change to the person, without what identifies them. */
const impersonal = (side: JsonObject | null): JsonObject | null =>
  side &&
  Object.fromEntries(
    Object.entries(side).map(([name, value]) => [
      name,
      name.startsWith('user_') && !IMPERSONAL.has(name) && value !== null ? ERASED : value,
    ]),
  );
