import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound, Problem } from '@atrium/platform/kernel';
import { PageVersions } from '../../nodes/application/page-versions';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import { assertSchedulable, MOST_WAITING, PublishSchedule, type ScheduleAction } from '../domain/publish-schedule';
import { SchedulesRepository, type ScheduleRow, type VersionedScheduleRow } from '../infrastructure/schedules.repository';

export type { ScheduleRow, VersionedScheduleRow };

/** What is booked. */
export interface Booking {
  readonly action: ScheduleAction;
  readonly node_ids: readonly string[];
  readonly locales: readonly string[] | null;
  readonly at: Date;
  readonly freeze: boolean;
  /** The version that goes live; only of one node. */
  readonly ver_id?: string | null;
  readonly options?: { readonly redirect_to?: string | null; readonly gone?: boolean };
}

/** Publishes at times to come. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly db: Database,
    private readonly schedules: SchedulesRepository,
    private readonly versions: PageVersions,
    private readonly access: SiteAccess,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, site_id: string, query: ListParameters): Promise<Page<ScheduleRow>> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      return this.schedules.listSchedules(site_id, query);
    });
  }

  get(caller: Principal, site_id: string, sch_id: string): Promise<VersionedScheduleRow> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      return this.readSchedule(site_id, sch_id);
    });
  }

  /** Within the unit of work of the caller, who has asked whether the nodes may be published. */
  async bookPublish(site: Site, booking: Booking, by: Pick<Principal, 'user_id' | 'key_id'>): Promise<VersionedScheduleRow> {
    assertSchedulable(booking.at, this.clock);
    const full = await this.schedules.findFullNode(booking.node_ids, MOST_WAITING);
    if (full !== null) throw tooManyWaiting();
    const schedule = PublishSchedule.blank(
      {
        sch_id: this.ids.next(),
        sch_site: site.site_id,
        sch_action: booking.action,
        sch_at: booking.at,
        sch_locales: booking.locales,
        sch_freeze: booking.action === 'publish' && (booking.freeze || Boolean(booking.ver_id)),
        sch_versions: await this.freezeVersions(booking, by.user_id),
        sch_options: { ...booking.options },
        sch_created_by: by.user_id,
        sch_key: by.key_id,
        node_ids: booking.node_ids,
      },
      this.clock.now(),
    );
    await this.schedules.insertSchedule(schedule);
    return this.readSchedule(site.site_id, schedule.sch_id);
  }

  cancelSchedule(caller: Principal, site_id: string, sch_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.access.requireEditable(caller, site_id);
      const schedule = await this.schedules.lock(sch_id, precondition, (row) => {
        if (row.sch_site !== site_id) throw notFound('schedule');
      });
      if (schedule.sch_status === 'cancelled') return;
      schedule.cancel(this.clock);
      await this.schedules.save(schedule);
      await this.versions.releaseVersions(Object.values(schedule.sch_versions));
    });
  }

  /** Nodes that go to the trash or are taken down for good are published by no schedule any more. */
  async cancelOf(node_ids: readonly string[]): Promise<void> {
    const cancelled = await this.schedules.cancelDeleted(node_ids, this.clock.now());
    await this.versions.releaseVersions(cancelled.flatMap(({ sch_versions }) => Object.values(sch_versions)));
  }

  /** Versions of nodes that will go live. */
  findHeldVersions(node_ids: readonly string[]): Promise<readonly string[]> {
    return this.schedules.findHeldVersions(node_ids);
  }

  private async freezeVersions({ action, freeze, node_ids, ver_id }: Booking, by: string): Promise<Record<string, string>> {
    const [only] = node_ids;
    if (action !== 'publish' || (!freeze && !ver_id)) return {};
    if (ver_id && only) {
      await this.versions.keepVersions([ver_id]);
      return { [only]: ver_id };
    }
    const frozen = await this.versions.freezeVersions(node_ids, by);
    return Object.fromEntries(frozen.map((version) => [version.node_id, version.ver_id]));
  }

  private async readSchedule(site_id: string, sch_id: string): Promise<VersionedScheduleRow> {
    const row = await this.schedules.findScheduleRow(site_id, sch_id);
    if (!row) throw notFound('schedule');
    return row;
  }
}

const tooManyWaiting = (): Problem =>
  new Problem('limit_reached', `${MOST_WAITING} schedules are waiting for the page. Cancel one of them first.`);
