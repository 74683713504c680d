import { Injectable } from '@nestjs/common';
import { SharedFiles, type FileSelection } from '@atrium/files';
import { WorkspaceStatusReader } from '@atrium/identity';
import { SharedAlbums } from '@atrium/media';
import { unauthenticated, type Principal } from '@atrium/platform/access';
import { currentScope, Database, type Actor } from '@atrium/platform/database';
import { accessDenied, Clock, isId, MINUTE, notFound, Problem } from '@atrium/platform/kernel';
import { ALWAYS_OPEN, evaluatePolicy } from '../../control/domain/evaluator';
import type { ShareLink } from '../domain/share-link';
import { ShareEvents, type Visitor } from '../infrastructure/share-events.rows';
import { ShareLinksRepository, type FoundLink } from '../infrastructure/share-links.repository';
import { DistributionRules } from '../../control/application/distribution-rules';
import { agentKind, type ShareCall } from './share-call';
import type { GuestGrant } from './share-addresses';
import { ShareCreators } from './share-creators';
import { ShareSecrets, type AccessClaims } from './share-secrets';

/** A link that a guest has opened, with the rights it gives them. */
export interface OpenShare {
  readonly link: ShareLink;
  /** Who made the link, as they stand now. */
  readonly member: Principal;
  /** What it shows; null for links that collect. */
  readonly selection: FileSelection | null;
  readonly visitor: Visitor;
  /** What unlocked it; null while it is locked, or where nothing locks it. */
  readonly access: AccessClaims | null;
  readonly call: ShareCall;
}

/** How somebody comes: a link whose downloads are used up still opens for what was taken before. */
interface Passing {
  readonly spent?: boolean;
  /** The view was taken when the address was handed out. */
  readonly seen?: boolean;
}

/** For so long somebody who comes again is the same view. */
const VISIT_MS = 30 * MINUTE;

const GUEST: Actor = { kind: 'person', user_id: null, key_id: null, name: 'guest' };

/**
 * The only entrance for guests to a link: by its token, or as a kiosk by its id. Finds the workspace, and refuses what is
 * unknown (404), over (410) or kept from where somebody comes (403). All that depends on rows is asked again every time.
 */
@Injectable()
export class ShareGate {
  constructor(
    private readonly db: Database,
    private readonly links: ShareLinksRepository,
    private readonly makers: ShareCreators,
    private readonly files: SharedFiles,
    private readonly albums: SharedAlbums,
    private readonly events: ShareEvents,
    private readonly rules: DistributionRules,
    private readonly secrets: ShareSecrets,
    private readonly workspaceStatus: WorkspaceStatusReader,
    private readonly clock: Clock,
  ) {}

  async openByToken(token: string, call: ShareCall, { spent = false }: Passing = {}): Promise<OpenShare> {
    if (!this.secrets.isToken(token)) throw unknownLink();
    const hash = this.secrets.hashOf(token);
    const share_id = this.bind(await this.links.findByToken(hash));
    const link = await this.db.read(() => this.links.findRow(share_id));
    if (!link) throw unknownLink();
    if (!this.secrets.isSame(link.share_token_hash, hash)) throw gone('replaced', 'The address of this link has been replaced');
    return this.open(link, call, { spent });
  }

  /** A link that collects files and has a password; every other id is unknown here. */
  async openByKiosk(id: string, call: ShareCall): Promise<OpenShare> {
    if (!isId(id)) throw unknownLink();
    const share_id = this.bind(await this.links.findByKiosk(id));
    const link = await this.db.read(() => this.links.findRow(share_id));
    if (!link) throw unknownLink();
    return this.open(link, call);
  }

  /** By an address that was issued before: its holder has been counted and admitted. */
  async openByGrant({ tenant_id, share_id }: Pick<GuestGrant, 'tenant_id' | 'share_id'>, call: ShareCall): Promise<OpenShare> {
    this.enter(tenant_id);
    const link = await this.db.read(() => this.links.findRow(share_id));
    if (!link) throw unknownLink();
    return this.open(link, call, { spent: true, seen: true });
  }

  /** The same, and unlocked where it is locked; a link with a limit of views counts this one. */
  async enterShare(token: string, call: ShareCall, passing: Passing = {}): Promise<OpenShare> {
    const share = await this.openByToken(token, call, passing);
    this.assertUnlocked(share);
    if (share.link.options.max_views !== null) await this.db.write(() => this.countView(share));
    return share;
  }

  assertUnlocked({ link, access }: OpenShare): void {
    if (link.isLocked && !access) throw unauthenticated('Unlock the link first.');
  }

  /** Counts a view once a visitor and half an hour; within a writing unit of work. Whether it was the first at all. */
  async countView({ link, visitor }: OpenShare): Promise<'first' | 'counted' | 'known'> {
    const counted = await this.links.countView(link.share_id, visitor.se_visitor, this.visitSince());
    if (counted === 'full') throw linkExhausted();
    if (counted === 'known') return 'known';
    await this.events.insertEvent(link.share_id, visitor, { se_type: 'view' });
    return link.share_view_count === 0 ? 'first' : 'counted';
  }

  private bind(found: FoundLink | undefined): string {
    if (!found) throw unknownLink();
    this.enter(found.tenant_id);
    return found.share_id;
  }

  private enter(tenant_id: string): void {
    const scope = currentScope();
    if (!scope) throw unknownLink();
    scope.tenant_id = tenant_id;
    scope.actor = GUEST;
  }

  private async open(link: ShareLink, call: ShareCall, { spent = false, seen = false }: Passing = {}): Promise<OpenShare> {
    const visitor = this.visitorOf(link, call);
    const [member, selection] = await this.db.read(async () => {
      if (!(await this.workspaceStatus.isOpen())) throw closed();
      this.assertStanding(link, spent);
      if (!seen) await this.assertViewLeft(link, visitor);
      const maker = await this.makers.findMember(link.share_created_by);
      if (!maker?.permissions.has('media:share') || (link.isUpload && !maker.permissions.has('media:upload'))) throw broken();
      return [maker, await this.selectionOf(link, maker)] as const;
    });
    await this.assertAllowed(link, call, visitor);
    return { link, member, selection, visitor, access: this.accessOf(link, call), call };
  }

  private assertStanding(link: ShareLink, spent: boolean): void {
    const { max_downloads } = link.options;
    if (link.share_revoked) throw gone('revoked', 'This link has been revoked');
    if (!link.share_active) throw gone('inactive', 'This link has been turned off');
    if (link.isExpired(this.clock.now())) throw gone('expired', 'This link has expired');
    if (!spent && max_downloads !== null && link.share_download_count >= max_downloads) throw linkExhausted();
  }

  /** A visitor who used one of the last views may continue. */
  private async assertViewLeft({ share_id, share_view_count, options: { max_views } }: ShareLink, { se_visitor }: Visitor): Promise<void> {
    if (max_views === null || share_view_count < max_views) return;
    if (!(await this.links.isVisiting(share_id, se_visitor, this.visitSince()))) throw linkExhausted();
  }

  private async selectionOf(link: ShareLink, member: Principal): Promise<FileSelection | null> {
    if (link.isUpload) return null;
    if (link.share_type === 'files') {
      const chosen = this.files.selectFiles(link.share_file_ids);
      if (!(await this.files.hasFiles(member, chosen, 'download'))) throw broken();
      return chosen;
    }
    const held =
      link.share_album_id !== null && member.permissions.has('media:view')
        ? await this.albums.selectFiles(member, link.share_album_id)
        : null;
    if (!held) throw broken();
    return held;
  }

  /** The baseline of the workspace holds for links too, unless their maker said otherwise. */
  private async assertAllowed(link: ShareLink, call: ShareCall, visitor: Visitor): Promise<void> {
    if (!link.options.apply_restrictions) return;
    const { baselinePolicy } = await this.rules.getRulesOf(link.tenant_id);
    const { reason } = evaluatePolicy(ALWAYS_OPEN, baselinePolicy, call.facts);
    if (reason === null) return;
    await this.db.write(() => this.events.insertEvent(link.share_id, visitor, { se_type: 'refused', se_details: { reason } }));
    const message = 'is not available in your location';
    throw accessDenied('This link is not available in your location.', {
      errors: [{ path: '', code: reason, message }],
    });
  }

  private visitorOf({ share_id }: ShareLink, call: ShareCall): Visitor {
    return {
      se_visitor: this.secrets.visitorDigest(share_id, call.address, call.userAgent),
      se_agent_kind: agentKind(call),
      se_country: call.facts.country,
    };
  }

  private accessOf(link: ShareLink, { bearer }: ShareCall): AccessClaims | null {
    const claims = bearer === null ? null : this.secrets.readAccess(bearer);
    const fits =
      claims?.share === link.share_id &&
      claims.rev === link.share_password_rev &&
      claims.terms === this.secrets.digestText(link.options.terms);
    return fits ? claims : null;
  }

  private visitSince(): Date {
    return new Date(this.clock.now().getTime() - VISIT_MS);
  }
}

const closed = (): Problem =>
  new Problem('service_unavailable', 'The content of this link is currently not available.', { headers: { 'Retry-After': '60' } });

const unknownLink = (): Problem => notFound('share link');

/** The title says which end it came to; why is for its maker to know. */
const gone = (code: string, title: string): Problem =>
  new Problem('gone', `${title}.`, { title, errors: [{ path: '', code, message: title }] });

export const linkExhausted = (): Problem => gone('exhausted', 'This link has been used up');

const broken = (): Problem => gone('broken', 'The content of this link no longer exists');
