import { Injectable } from '@nestjs/common';
import { ApprovalMoves, type ApprovalRequestRow, type OpenTransition } from '@atrium/approvals';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, invalidField, notFound, Problem } from '@atrium/platform/kernel';
import type { NodeAddress } from '../../nodes/application/node-reading';
import { requireLocale } from '../../nodes/application/node-problems';
import { assertOfSite } from '../../nodes/application/open-drafts';
import { PageVersions } from '../../nodes/application/page-versions';
import { NODE_SUBJECT } from '../../nodes/domain/node-subject';
import { NodesRepository } from '../../nodes/infrastructure/nodes.repository';
import { assertSchedulable } from '../../publishing/domain/publish-schedule';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import { SitesRepository } from '../../sites/infrastructure/sites.repository';

/** What a client says of a move. */
export interface PageMove {
  readonly transition: string;
  readonly locales?: readonly string[];
  readonly comment?: string | null;
  readonly publish?: { readonly on_approval: boolean; readonly at?: Date | null } | null;
}

/** A locale after a move: its state, and the request that it waits for; null: it was moved. */
export interface MovedLocale {
  readonly locale: string;
  readonly state: string;
  readonly request: ApprovalRequestRow | null;
}

/** Moves of pages along their approval flows. */
@Injectable()
export class PageTransitions {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly sites: SitesRepository,
    private readonly nodes: NodesRepository,
    private readonly moves: ApprovalMoves,
    private readonly versions: PageVersions,
    private readonly clock: Clock,
  ) {}

  listOpenTransitions(caller: Principal, address: NodeAddress, locale?: string): Promise<readonly OpenTransition[]> {
    return this.db.read(async () => {
      const site = await this.requireNode(caller, address);
      return this.moves.listOpenTransitions(caller, { type: NODE_SUBJECT, id: address.node_id, locale: requireLocale(site, locale) });
    });
  }

  /** All of the locales, or none. */
  moveNode(caller: Principal, address: NodeAddress, { transition, locales, comment, publish }: PageMove): Promise<readonly MovedLocale[]> {
    const wish = { transition, comment: comment ?? null, publish: this.publishWish(publish) };
    return this.db.write(
      async () => {
        const site = await this.requireNode(caller, address, { toMove: true });
        const moved: MovedLocale[] = [];
        for (const locale of localesOf(site, locales)) {
          const { state, request } = await this.moveLocale(caller, { ...address, locale }, wish);
          moved.push({ locale, state, request: request && withoutVersion(request) });
        }
        await this.versions.releaseVersionsOf([address.node_id]);
        return moved;
      },
      { mayBeLong: 'all locales of a page move together' },
    );
  }

  private async moveLocale(
    caller: Principal,
    { node_id, locale }: NodeAddress & { readonly locale: string },
    wish: Parameters<ApprovalMoves['moveSubject']>[2],
  ) {
    return this.moves.moveSubject(caller, { type: NODE_SUBJECT, id: node_id, locale }, wish);
  }

  private async requireNode(
    caller: Principal,
    { site_id, node_id }: NodeAddress,
    { toMove = false }: { readonly toMove?: boolean } = {},
  ): Promise<Site> {
    const site = await this.access.requireReadable(caller, site_id);
    const node = await this.nodes.findRow(node_id);
    if (!node) throw notFound('page');
    assertOfSite(node, site.site_id);
    if (toMove) {
      this.sites.assertActive(site);
      this.nodes.assertActive(node);
    }
    return site;
  }

  private publishWish(publish: PageMove['publish']) {
    if (!publish) return null;
    const { on_approval, at = null } = publish;
    if (at && !on_approval) throw invalidField('publish.at', 'requires on_approval', 'conflict');
    if (at) assertSchedulable(at, this.clock, 'publish.at');
    return { on_approval, at: at?.toISOString() ?? null };
  }
}

/** The locales that a request names, each once, or the default one. */
function localesOf(site: Site, locales: readonly string[] | undefined): readonly string[] {
  if (!locales) return [site.site_default_locale];
  return [...new Set(locales.map((locale, at) => localeAt(site, locale, at)))];
}

function localeAt(site: Site, locale: string, at: number): string {
  try {
    return requireLocale(site, locale);
  } catch (error) {
    const [fault] = error instanceof Problem ? (error.errors ?? []) : [];
    throw fault ? invalidField(`locales[${at}]`, fault.message, fault.code) : error;
  }
}

/** The request within an answer: its version is the ETag of its own read. */
function withoutVersion({ row_version: _, ...request }: ApprovalRequestRow & { readonly row_version?: number }): ApprovalRequestRow {
  return request;
}
