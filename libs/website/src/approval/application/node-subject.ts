import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApprovalGate, ApprovalSubjects, type ApprovalSubject, type ApprovedVersion, type FrozenSubject } from '@atrium/approvals';
import type { Principal } from '@atrium/platform/access';
import type { Sql } from '@atrium/platform/database';
import { Clock, MINUTE, notFound, type FieldFault } from '@atrium/platform/kernel';
import { PageDrafts } from '../../nodes/application/page-drafts';
import { PageVersions } from '../../nodes/application/page-versions';
import { NODE_SUBJECT } from '../../nodes/domain/node-subject';
import { NodesRepository } from '../../nodes/infrastructure/nodes.repository';
import { Publishing } from '../../publishing/application/publishing';
import { SchedulesService } from '../../publishing/application/schedules.service';
import { SITE_RESTORABLE_MS, type Site } from '../../sites/domain/site';
import { SitesRepository } from '../../sites/infrastructure/sites.repository';
import { NODE_CHECKS, unmetChecks } from '../domain/node-checks';
import { NodeSubjectRows, type NodeFacts } from '../infrastructure/node-subjects.rows';

/** Pages, folders and links, each locale of its own, as subjects of approval flows. */
@Injectable()
export class NodeSubject implements ApprovalSubject, OnModuleInit {
  readonly type = NODE_SUBJECT;
  readonly noun = 'page';
  readonly view = 'content:view';
  readonly edit = 'content:edit';
  readonly publishPermission = 'site:publish';
  readonly checks = NODE_CHECKS;

  constructor(
    private readonly subjects: ApprovalSubjects,
    private readonly gate: ApprovalGate,
    private readonly rows: NodeSubjectRows,
    private readonly nodes: NodesRepository,
    private readonly sites: SitesRepository,
    private readonly drafts: PageDrafts,
    private readonly versions: PageVersions,
    private readonly publishing: Publishing,
    private readonly schedules: SchedulesService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.subjects.register(this);
  }

  readable(reader: Principal, id: Sql, level: 'view' | 'edit'): Sql {
    return this.rows.readableCondition(reader, id, { level, since: this.clock.after(-SITE_RESTORABLE_MS) });
  }

  async findCoverage(ids: readonly string[]): Promise<ReadonlyMap<string, { readonly site: string }>> {
    return this.factsBy(ids, ({ node_site }) => ({ site: node_site }));
  }

  findSites(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.rows.findActiveSites(ids);
  }

  findNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.factsBy(ids, ({ node_name }) => node_name);
  }

  findCreators(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    return this.factsBy(ids, ({ node_created_by }) => node_created_by);
  }

  findContacts(id: string): Promise<readonly string[]> {
    return this.rows.findContacts(id);
  }

  /** While a request is open, its version is pinned already, and only what the draft shows by now is asked for. */
  async freeze(id: string, locale: string | null): Promise<FrozenSubject> {
    const code = locale ?? '';
    await this.nodes.lock(id);
    const hash = (await this.rows.findDraftHash(id, code)) ?? '';
    const [standing] = await this.gate.findStandings(NODE_SUBJECT, [{ id, locale }]);
    if (!standing || standing.request !== null) return { version: '', hash };
    const [frozen] = await this.versions.freezeVersions([id], null);
    if (!frozen) throw notFound(this.noun);
    return { version: frozen.ver_id, hash };
  }

  async check(id: string, locale: string | null, names: readonly string[]): Promise<readonly FieldFault[]> {
    const site = await this.requireSite(id);
    const drafts = await this.drafts.findDrafts(site, [{ node_id: id, locale: locale ?? site.site_default_locale }]);
    return unmetChecks(
      drafts.flatMap(({ issues }) => issues),
      names,
    );
  }

  /** A time that has passed by now is no reason to wait. */
  async publish({ car_subject_id, car_locale, car_version, car_publish }: ApprovedVersion, by: Principal): Promise<void> {
    const site = await this.requireSite(car_subject_id);
    this.sites.assertActive(site);
    const locales = [car_locale ?? site.site_default_locale];
    const at = car_publish?.at ? new Date(car_publish.at) : null;
    if (at && at >= this.clock.after(MINUTE))
      await this.schedules.bookPublish(
        site,
        { action: 'publish', node_ids: [car_subject_id], locales, at, freeze: true, ver_id: car_version },
        by,
      );
    else await this.publishing.publishNodes(site, [{ node_id: car_subject_id, locales, ver_id: car_version }], by.user_id);
  }

  private async requireSite(node_id: string): Promise<Site> {
    const facts = (await this.rows.findFacts([node_id])).get(node_id);
    const site = facts ? await this.sites.findRow(facts.node_site) : null;
    if (!site) throw notFound(this.noun);
    return site;
  }

  private async factsBy<V>(ids: readonly string[], valueOf: (facts: NodeFacts) => V): Promise<ReadonlyMap<string, V>> {
    return new Map([...(await this.rows.findFacts(ids))].map(([id, facts]) => [id, valueOf(facts)]));
  }
}
