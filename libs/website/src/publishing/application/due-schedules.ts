import { Injectable } from '@nestjs/common';
import { ActingCallers, Links, Mail } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, invalidState, Problem } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { PageVersions } from '../../nodes/application/page-versions';
import { SiteAccess } from '../../sites/application/site-access';
import { SiteReaders } from '../../sites/application/site-readers';
import type { PublishSchedule } from '../domain/publish-schedule';
import { LivePagesRows } from '../infrastructure/live-pages.rows';
import { SchedulesRepository } from '../infrastructure/schedules.repository';
import { publishScheduled } from '../jobs/publish.jobs';
import { LiveChanges } from './live-changes';
import { Publishing } from './publishing';

const MOST_NOTIFIED = 100;
const MOST_NAMED = 10;
const PERMISSION = 'site:publish';

/** Schedules whose time has come: published once, with the rights that their creator has now. */
@Injectable()
export class DueSchedules {
  constructor(
    private readonly db: Database,
    private readonly schedules: SchedulesRepository,
    private readonly access: SiteAccess,
    private readonly publishing: Publishing,
    private readonly changes: LiveChanges,
    private readonly rows: LivePagesRows,
    private readonly versions: PageVersions,
    private readonly callers: ActingCallers,
    private readonly readers: SiteReaders,
    private readonly mail: Mail,
    private readonly links: Links,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Schedules of all workspaces whose time has come. */
  listDue(most: number): Promise<readonly { readonly tenant_id: string; readonly sch_id: string }[]> {
    return this.schedules.findDueSchedules(most);
  }

  async queuePublish(sch_id: string): Promise<void> {
    await this.db.write(() => this.outbox.addOnce(planJob(publishScheduled, { sch_id })));
  }

  /** Publishes what the schedule says, or says why it could not; what fails for another reason is tried again. */
  async runSchedule(sch_id: string): Promise<void> {
    try {
      await this.db.write(
        async () => {
          const schedule = await this.lockDue(sch_id);
          if (schedule) await this.carryOut(schedule);
        },
        { mayBeLong: 'all pages of a schedule go live together' },
      );
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      await this.failSchedule(sch_id, reasonOf(error));
    }
  }

  /** Ends a schedule that could not be carried out, and notifies its creator and the contacts of the site. */
  failSchedule(sch_id: string, reason: string): Promise<void> {
    return this.db.write(async () => {
      const schedule = await this.lockDue(sch_id);
      if (!schedule) return;
      schedule.fail(reason, this.clock);
      await this.schedules.save(schedule);
      await this.versions.releaseVersions(Object.values(schedule.sch_versions));
      await this.notifyFailure(schedule, reason);
    });
  }

  private async lockDue(sch_id: string): Promise<PublishSchedule | null> {
    const [schedule] = await this.schedules.lockMany([sch_id]);
    return schedule?.isDue(this.clock) ? schedule : null;
  }

  private async carryOut(schedule: PublishSchedule): Promise<void> {
    const { sch_site, sch_action, sch_locales, sch_versions, sch_options, sch_created_by } = schedule;
    const caller = await this.resolveCreator(schedule);
    const site = await this.access.requireEditable(caller, sch_site);
    const codes = sch_locales?.filter((locale) => site.site_locales.some(({ code, active }) => active && code === locale)) ?? null;
    if (codes?.length === 0) throw invalidState('None of the locales of the schedule is an active locale of the site.');
    if (sch_action === 'publish')
      await this.publishing.publishNodes(
        site,
        schedule.nodeIds.map((node_id) => ({ node_id, locales: codes, ver_id: sch_versions[node_id] ?? null })),
        sch_created_by,
      );
    else
      await this.changes.closePages(site, await this.rows.findLivePages(schedule.nodeIds, codes), { ...sch_options, by: sch_created_by });
    schedule.complete(this.clock);
    await this.schedules.save(schedule);
    await this.versions.releaseVersions(Object.values(schedule.sch_versions));
  }

  private async resolveCreator({ sch_created_by, sch_key }: PublishSchedule): Promise<Principal> {
    if (sch_created_by === null)
      throw new Problem('permission_denied', 'The member who created the schedule is no longer in the workspace.');
    const caller = await this.callers.resolvePrincipal({ user_id: sch_created_by, key_id: sch_key });
    if (!caller.permissions.has(PERMISSION))
      throw new Problem('permission_denied', `The member who created the schedule no longer has the permission ${PERMISSION}.`);
    return caller;
  }

  private async notifyFailure(schedule: PublishSchedule, reason: string): Promise<void> {
    if (!this.mail.configured) return;
    const { site_name, site_contacts, site_acl, names } = await this.schedules.readNames(schedule.sch_id, MOST_NAMED);
    const named = [...new Set([...site_contacts, ...(schedule.sch_created_by === null ? [] : [schedule.sch_created_by])])];
    for (const { user_id, user_email, user_locale, ws_name } of await this.readers.resolveReaders({ site_acl }, named, {
      most: MOST_NOTIFIED,
      always: schedule.sch_created_by,
    }))
      this.mail.queueMail({
        template: 'page_publish_failed',
        to: user_email,
        user_id,
        locale: user_locale,
        key: `publish-failed.${schedule.sch_id}.${user_id}`,
        vars: {
          ws_name,
          site_name,
          pages: names.join(', '),
          what: schedule.sch_action === 'publish' ? 'published' : 'unpublished',
          when: `${schedule.sch_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
          reason: reason.replace(/\.$/, ''),
          link: this.links.pageUrl(schedule.sch_site, schedule.nodeIds[0] ?? ''),
        },
      });
  }
}

/** The first fault, with the field that has it where its message is not a sentence of its own. */
function reasonOf({ detail, errors }: Problem): string {
  const [fault] = errors ?? [];
  if (!fault) return detail;
  return /^\p{Lu}/u.test(fault.message) ? fault.message : `${fault.path} ${fault.message}`;
}
