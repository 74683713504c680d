import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import { Database, TimeZones, violatesConstraint, type ListParameters, type Page } from '@atrium/platform/database';
import { Clock, Ids, pick, unknownReference } from '@atrium/platform/kernel';
import { ServedTargets } from '../../connections/application/served-targets';
import { MOST_SLOTS, SocialSlot, slotTaken, tooManySlots } from '../domain/social-slot';
import { SlotsRepository, type SlotRow } from '../infrastructure/slots.repository';
import { SlotTimes } from './slot-times';

const SLOTS_AUDIT = defineAuditTypes({
  'social_slot.created': 'A posting time was added.',
  'social_slot.deleted': 'A posting time was deleted.',
});
const AUDITED = ['sls_target', 'sls_weekday', 'sls_time', 'sls_timezone', 'sls_active'] as const;
const USUAL_COUNT = 10;

export interface NewSlot {
  readonly sls_target?: string | null;
  readonly sls_weekday: number;
  readonly sls_time: string;
  readonly sls_timezone?: string;
  readonly sls_active?: boolean;
}

/** A time that is free. */
export interface NextSlot {
  readonly at: Date;
  readonly sls_id: string;
  readonly sls_target: string | null;
  readonly sls_timezone: string;
}

/** The weekly posting schedule of a workspace. */
@Injectable()
export class SlotsService {
  constructor(
    private readonly db: Database,
    private readonly slots: SlotsRepository,
    private readonly times: SlotTimes,
    private readonly targets: ServedTargets,
    private readonly zones: TimeZones,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<SlotRow>> {
    return this.db.read(() => this.slots.listSlots(query));
  }

  async create(wish: NewSlot): Promise<SlotRow> {
    if (wish.sls_timezone !== undefined) await this.zones.assertTimeZone('sls_timezone', wish.sls_timezone);
    try {
      return await this.db.write(async () => {
        await this.slots.lockSlots();
        const target = wish.sls_target ? (await this.targets.findTargets([wish.sls_target])).get(wish.sls_target) : undefined;
        if (wish.sls_target && !target) throw unknownReference('sls_target', 'target');
        if ((await this.slots.countSlots()) >= MOST_SLOTS) throw tooManySlots();
        const slot: SocialSlot = Object.assign(new SocialSlot(), {
          sls_id: this.ids.next(),
          sls_target: wish.sls_target ?? null,
          sls_weekday: wish.sls_weekday,
          sls_time: wish.sls_time,
          sls_timezone: wish.sls_timezone ?? target?.tgt_timezone ?? (await this.targets.readWorkspaceZone()),
          sls_active: wish.sls_active ?? true,
          sls_created: this.clock.now(),
        });
        await this.slots.insert(slot);
        this.record('social_slot.created', slot);
        return pick(slot, ['sls_id', ...AUDITED, 'sls_created']);
      });
    } catch (error) {
      throw violatesConstraint(error, 'social_slot_time') ? slotTaken() : error;
    }
  }

  /** Posts keep the times that it gave them. */
  remove(sls_id: string): Promise<void> {
    return this.db.write(async () => {
      const slot = await this.slots.lock(sls_id);
      await this.slots.remove(slot);
      this.record('social_slot.deleted', slot);
    });
  }

  listNext({
    targets = [],
    after,
    count = USUAL_COUNT,
  }: {
    readonly targets?: readonly string[];
    readonly after?: Date;
    readonly count?: number;
  }): Promise<NextSlot[]> {
    return this.db.read(async () =>
      (await this.times.findFree(targets, { count, ...(after ? { after } : {}) })).map(
        ({ at, slot: { sls_id, sls_target, sls_timezone } }) => ({
          at,
          sls_id,
          sls_target,
          sls_timezone,
        }),
      ),
    );
  }

  private record(type: keyof typeof SLOTS_AUDIT, slot: SocialSlot): void {
    const facts = pick(slot, AUDITED);
    const target = { type: 'social_slot', id: slot.sls_id, name: slot.sls_time };
    this.audit.record({
      type: SLOTS_AUDIT[type],
      target,
      ...(type === 'social_slot.created' ? changesBetween(null, facts) : changesBetween(facts, null)),
    });
  }
}

export type { SlotRow };
