import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, invalidState, notFound, Problem, SECOND } from '@atrium/platform/kernel';
import { mergeDocuments } from '../../content/domain/merge';
import type { MergeChoice, MergeConflict } from '../../content/domain/merge-units';
import { documentUnits, type PageDocument } from '../../content/domain/page-document';
import type { NodeState } from '../../nodes/domain/node-locale';
import { SiteAccess } from '../../sites/application/site-access';
import type { RemoteState } from '../domain/cms-port';
import { CmsLink } from '../domain/cms-link';
import { rootOf, type Fingerprint } from '../domain/document-exchange';
import { judge, type Verdict } from '../domain/verdict';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { CmsSessions, type CmsSession } from './cms-sessions';
import { LocalPages } from './local-pages';
import { PageComparison } from './page-comparison';
import { SyncService, type LinkRow, type RunAnswer, type SyncOrder } from './sync.service';

export interface ComparedField {
  readonly path: string;
  readonly locale: string | null;
  readonly base: unknown;
  readonly local: unknown;
  readonly remote: unknown;
  readonly status: 'same' | 'local' | 'remote' | 'both_same' | 'conflict';
}

export interface ComparedPageView {
  readonly verdict: Verdict;
  readonly fields: readonly ComparedField[];
  /** Whether a merge would have no conflict. */
  readonly mergeable: boolean;
  readonly publication: { readonly local: Readonly<Record<string, NodeState>>; readonly remote: Readonly<Record<string, RemoteState>> };
}

export interface MergeOrder {
  readonly default?: 'local' | 'remote' | 'manual';
  readonly choices?: readonly MergeChoice[];
  readonly push?: boolean;
  readonly publish?: boolean;
}

interface BothSides {
  readonly session: CmsSession;
  readonly link: CmsLink;
  readonly ours: Fingerprint | null;
  readonly theirs: Fingerprint | null;
  readonly isTrashed: boolean;
  readonly published: Readonly<Record<string, NodeState>>;
  readonly states: Readonly<Record<string, RemoteState>>;
}

const PATIENCE_MS = 25 * SECOND;
const MOST_FIELDS = 1_000;
const EXTERNAL = 'ext:';

/** One page of both sides: compared, merged, pulled and pushed by itself. */
@Injectable()
export class PageSyncService {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly sessions: CmsSessions,
    private readonly links: CmsLinksRepository,
    private readonly locals: LocalPages,
    private readonly comparison: PageComparison,
    private readonly sync: SyncService,
    private readonly clock: Clock,
  ) {}

  async compare(caller: Principal, site_id: string, page: string): Promise<ComparedPageView> {
    const { session, link, ours, theirs, isTrashed, published, states } = await this.readBoth(caller, site_id, page);
    const verdict = judge({ base: link.lnk_base_hash, local: ours?.hash ?? null, remote: theirs?.hash ?? null, isTrashed });
    if (verdict === null) throw notFound('page');
    const { open } = ours && theirs ? mergeDocuments({ base: link.lnk_base, local: ours.document, remote: theirs.document }) : { open: [] };
    const form = (document: PageDocument | null | undefined) => (document ? session.exchange.comparedForm(document) : null);
    const fields = comparedFields({ base: form(link.lnk_base), local: form(ours?.document), remote: form(theirs?.document) });
    return {
      verdict,
      fields,
      mergeable: ours !== null && theirs !== null && open.length === 0,
      publication: { local: published, remote: states },
    };
  }

  /** A version here that has what both sides changed; what is pushed afterwards makes both equal. */
  async merge(
    caller: Principal,
    site_id: string,
    page: string,
    order: MergeOrder,
  ): Promise<{ readonly link: LinkRow; readonly run: RunAnswer | null }> {
    const { session, link, ours, theirs } = await this.readBoth(caller, site_id, page);
    const node_id = link.lnk_node;
    if (!ours || !theirs || node_id === null) throw invalidState('The page exists on one side only, so there is nothing to merge.');
    const { document, open, unused } = this.mergeBy(link.lnk_base, { ours, theirs }, order);
    if (open.length > 0) throw openConflicts(open);
    const [stray] = unused;
    if (stray)
      throw new Problem('validation_failed', `${stray.path}: is not a conflict of this page.`, {
        errors: [{ path: 'choices', code: 'reference', message: `${stray.path} is not a conflict of this page.` }],
      });
    const { exchange, pages, site } = session;
    await this.db.write(async () => {
      // The push begins once the merge is stored; while another run is at work, neither happens.
      if (order.push) await this.sync.assertIdle(site_id);
      await this.locals.lockStructure(site);
      const local = await this.locals.lockPage(site, node_id);
      if (!local || this.comparison.fingerprintLocal(session, local, link).hash !== ours.hash)
        throw invalidState('The page was changed since it was compared. Compare it again.');
      const turned = exchange.toInside(document, pages, rootOf(local.document, null));
      await this.locals.changePage(site, node_id, turned.document, {
        locales: exchange.locales,
        kind: 'merged',
        by: caller,
        carriesSeo: exchange.carriesSeo,
      });
      const [locked] = await this.links.lockMany([link.lnk_id]);
      if (!locked) return;
      const merged = exchange.fingerprint(document);
      locked.rebase(theirs);
      locked.lnk_remote_hash = theirs.hash;
      locked.lnk_verdict = merged.hash === theirs.hash ? 'in_sync' : 'local_changed';
      locked.lnk_fields = {};
      locked.lnk_compared = this.clock.now();
      locked.lnk_local_stamp = null;
      locked.lnk_pending = turned.isWhole ? {} : { ...turned.pending, '': null };
      await this.links.save(locked);
    });
    const run = order.push
      ? await this.movePage(caller, site_id, { page: node_id, direction: 'push' }, { publish: order.publish ?? false })
      : null;
    const { data } = await this.db.read(() => this.links.listLinks(site_id, {}, { node_id }));
    const [stored] = data;
    if (!stored) throw notFound('page');
    return { link: stored, run };
  }

  movePage(
    caller: Principal,
    site_id: string,
    { page, direction }: { readonly page: string; readonly direction: 'pull' | 'push' },
    order: SyncOrder,
  ): Promise<RunAnswer> {
    const named = page.startsWith(EXTERNAL) ? { externalIds: [page.slice(EXTERNAL.length)] } : { nodeIds: [page] };
    return this.sync.movePages(caller, site_id, direction, { ...order, ...named });
  }

  private mergeBy(
    base: PageDocument | null,
    { ours, theirs }: { readonly ours: Fingerprint; readonly theirs: Fingerprint },
    order: MergeOrder,
  ) {
    const versions = { base, local: ours.document, remote: theirs.document };
    const { default: usual = 'manual', choices = [] } = order;
    const first = mergeDocuments(versions, choices);
    if (usual === 'manual' || first.open.length === 0) return first;
    const rest = first.open.map(({ path, locale }) => ({ path, locale, take: usual }));
    return mergeDocuments(versions, [...choices, ...rest]);
  }

  private async readBoth(caller: Principal, site_id: string, page: string): Promise<BothSides> {
    await this.db.read(() => this.access.requireEditable(caller, site_id));
    const session = await this.sessions.openSession(site_id, { signal: AbortSignal.timeout(PATIENCE_MS), once: true });
    const external_id = page.startsWith(EXTERNAL) ? page.slice(EXTERNAL.length) : (session.pages.findExternal(page) ?? null);
    const node_id = page.startsWith(EXTERNAL) ? (session.pages.findNode(page.slice(EXTERNAL.length)) ?? null) : page;
    const [known] = await this.db.read(() =>
      this.links.readLinks(site_id, {
        external_ids: external_id === null ? [] : [external_id],
        node_ids: node_id === null ? [] : [node_id],
      }),
    );
    const local = node_id === null ? undefined : (await this.locals.readPages(session.site, [node_id])).get(node_id);
    const remote = external_id === null ? null : await this.comparison.readRemote(session, external_id);
    if (!local && !remote) throw notFound('page');
    const facts = { tenant_id: requireScope().tenant_id, lnk_id: '', lnk_site: site_id, lnk_node: node_id, lnk_external_id: external_id };
    const link = known ?? CmsLink.blank(facts, this.clock.now());
    return {
      session,
      link,
      ours: local ? this.comparison.fingerprintLocal(session, local, link) : null,
      theirs: remote && this.comparison.fingerprintRemote(session, remote),
      isTrashed: local !== undefined && !local.isActive,
      published: local ? await this.locals.readStates(local.node_id) : {},
      states: remote?.states ?? {},
    };
  }
}

function comparedFields({ base, local, remote }: Record<'base' | 'local' | 'remote', PageDocument | null>): readonly ComparedField[] {
  const units = [base, local, remote].map((document) => (document ? documentUnits(document) : new Map<string, never>()));
  const names = [...new Set(units.flatMap((of) => [...of.keys()]))].sort();
  const fields = names.map((name) => {
    const [b, l, r] = units.map((of) => (of.has(name) ? of.get(name) : null));
    const at = name.lastIndexOf('@');
    return {
      path: at < 0 ? name : name.slice(0, at),
      locale: at < 0 ? null : name.slice(at + 1),
      base: b,
      local: l,
      remote: r,
      status: statusOf(b, l, r),
    };
  });
  return fields.filter(({ status }) => status !== 'same').slice(0, MOST_FIELDS);
}

function statusOf(base: unknown, local: unknown, remote: unknown): ComparedField['status'] {
  const [b, l, r] = [JSON.stringify(base), JSON.stringify(local), JSON.stringify(remote)];
  if (l === r) return l === b ? 'same' : 'both_same';
  if (r === b) return 'local';
  return l === b ? 'remote' : 'conflict';
}

const openConflicts = (open: readonly MergeConflict[]): Problem =>
  new Problem(
    'invalid_state',
    `${open.length} ${open.length === 1 ? 'conflict has' : 'conflicts have'} no choice. Choose a side or a value for each.`,
    {
      errors: open.slice(0, 50).map(({ path, locale }) => ({
        path: locale === null ? path : `${path}@${locale}`,
        code: 'conflict',
        message: 'Both sides changed it, and not alike.',
      })),
    },
  );
