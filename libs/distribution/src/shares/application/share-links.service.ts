import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound, Problem } from '@atrium/platform/kernel';
import { ShareLink, type ShareType } from '../domain/share-link';
import { DEFAULT_OPTIONS, mergedOptions, type ShareOptions } from '../domain/share-options';
import { ShareLinksRepository, type ShareLinkFilters } from '../infrastructure/share-links.repository';
import { ShareAnswers, type OwnShareLink } from './share-answers';
import { ShareContents } from './share-contents';
import { ShareJournal } from './share-journal';
import { auditedLink } from './share-links.audit';
import { ShareCreators } from './share-creators';
import { ShareNotices } from './share-notices';
import { ShareSecrets } from './share-secrets';
import { ShareTerms } from './share-terms';

const MOST_STANDING = 5_000;

/** What can be said of a link; its type only when it is made. */
export interface ShareFacts {
  readonly share_name?: string;
  readonly share_active?: boolean;
  readonly share_expires_at?: Date | null;
  readonly share_file_ids?: readonly string[];
  readonly share_album_id?: string | null;
  readonly share_album_ids?: readonly string[];
  readonly share_pre_tags?: readonly string[];
  readonly share_allow_change_tags?: boolean;
  readonly share_allow_change_albums?: boolean;
  readonly share_max_files?: number | null;
  readonly share_max_size?: number | null;
  readonly share_password?: string | null;
  readonly share_options?: Partial<ShareOptions>;
}

/** Somebody's own links: made, changed, given a new address, revoked. Links of others do not exist here. */
@Injectable()
export class ShareLinks {
  constructor(
    private readonly db: Database,
    private readonly links: ShareLinksRepository,
    private readonly contents: ShareContents,
    private readonly makers: ShareCreators,
    private readonly answers: ShareAnswers,
    private readonly secrets: ShareSecrets,
    private readonly notices: ShareNotices,
    private readonly terms: ShareTerms,
    private readonly journal: ShareJournal,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: ShareLinkFilters): Promise<Page<OwnShareLink>> {
    return this.db.read(async () => {
      const page = await this.links.listLinks(
        await this.makers.findRights([caller.user_id]),
        query,
        sql`r.share_created_by = ${caller.user_id}`,
      );
      return { ...page, data: page.data.map((row) => this.answers.toOwnLink(row)) };
    });
  }

  get(caller: Principal, id: string): Promise<OwnShareLink> {
    return this.db.read(() => this.read(caller, id));
  }

  async create(
    caller: Principal,
    { share_type, share_password, ...facts }: ShareFacts & { readonly share_name: string; readonly share_type: ShareType },
  ): Promise<OwnShareLink> {
    const hash = await this.terms.hashPassword(share_password);
    return this.db.write(async () => {
      const link = this.fresh(caller, share_type, facts.share_name);
      this.contents.assertFields(link, { ...facts });
      await this.terms.protectNew(link, hash);
      this.apply(link, facts);
      await this.terms.limitLife(link, facts.share_expires_at);
      await this.contents.assertGood(caller, link, EVERYTHING);
      if ((await this.links.countActive(MOST_STANDING)) >= MOST_STANDING)
        throw new Problem('limit_reached', `The workspace has the maximum of ${MOST_STANDING} share links. Revoke some of them first.`);
      await this.links.insert(link);
      await this.contents.prepareWatermarks(caller, link);
      await this.journal.recordCreated(link);
      this.notices.planExpiry(link);
      return this.read(caller, link.share_id);
    });
  }

  async change(
    caller: Principal,
    id: string,
    { share_password, ...facts }: ShareFacts,
    precondition?: Precondition,
  ): Promise<OwnShareLink> {
    const hash = await this.terms.hashPassword(share_password);
    return this.db.write(async () => {
      const link = await this.lockOwn(caller, id, precondition);
      link.assertNotRevoked();
      const before = auditedLink(link);
      this.contents.assertFields(link, { ...facts });
      if (share_password !== undefined) await this.terms.changePassword(link, hash);
      this.apply(link, facts);
      if (facts.share_expires_at !== undefined) await this.terms.limitLife(link, facts.share_expires_at);
      await this.contents.assertGood(
        caller,
        link,
        new Set(Object.keys(facts).filter((name) => facts[name as keyof typeof facts] !== undefined)),
      );
      link.touch(this.clock);
      await this.links.save(link);
      await this.contents.prepareWatermarks(caller, link);
      if (facts.share_expires_at !== undefined) this.notices.planExpiry(link);
      this.journal.recordUpdated(link, before, share_password === undefined ? {} : { share_password: hash ? '[set]' : null });
      return this.read(caller, id);
    });
  }

  revoke(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const link = await this.lockOwn(caller, id, precondition);
      if (link.revoke(this.clock)) await this.saveRevoked(link, null);
    });
  }

  /** Saves a link that was just revoked, and reports it. */
  async saveRevoked(link: ShareLink, reason: string | null): Promise<void> {
    await this.links.save(link);
    this.journal.recordRevoked(link, reason);
  }

  /** A new token; holders of the old one learn that the link is no longer available. */
  rotate(caller: Principal, id: string): Promise<OwnShareLink> {
    return this.db.write(async () => {
      const link = await this.lockOwn(caller, id);
      link.assertNotRevoked();
      await this.links.retireToken(link);
      const { hash, sealed } = this.secrets.mintToken(requireScope().tenant_id);
      Object.assign(link, { share_token_hash: hash, share_token_enc: sealed });
      link.touch(this.clock);
      await this.links.save(link);
      this.journal.recordRotated(link);
      return this.read(caller, id);
    });
  }

  async lockOwn(caller: Principal, id: string, precondition?: Precondition): Promise<ShareLink> {
    return this.links.lock(id, precondition, (link) => {
      if (link.share_created_by !== caller.user_id) throw notFound('share link');
    });
  }

  private async read(caller: Principal, id: string): Promise<OwnShareLink> {
    const row = await this.links.findLinkRow(
      await this.makers.findRights([caller.user_id]),
      id,
      sql`r.share_created_by = ${caller.user_id}`,
    );
    if (!row) throw notFound('share link');
    return this.answers.toOwnLink(row);
  }

  private fresh(caller: Principal, share_type: ShareType, share_name: string): ShareLink {
    const now = this.clock.now();
    const { hash, sealed } = this.secrets.mintToken(requireScope().tenant_id);
    return ShareLink.blank(
      {
        share_id: this.ids.next(),
        share_name,
        share_type,
        share_options: { ...DEFAULT_OPTIONS },
        share_created_by: caller.user_id,
        share_token_hash: hash,
        share_token_enc: sealed,
      },
      now,
    );
  }

  private apply(
    link: ShareLink,
    { share_options, share_file_ids, share_album_ids, share_album_id, share_pre_tags, ...plain }: Omit<ShareFacts, 'share_password'>,
  ): void {
    for (const [name, value] of Object.entries(plain)) if (value !== undefined) Object.assign(link, { [name]: value });
    if (share_file_ids) link.share_file_ids = distinct(share_file_ids);
    if (share_album_ids) link.share_album_ids = distinct(share_album_ids);
    if (share_album_id !== undefined) link.share_album_id = share_album_id?.toLowerCase() ?? null;
    if (share_pre_tags) link.share_pre_tags = [...new Set(share_pre_tags)];
    if (share_options) link.share_options = mergedOptions(link.options, share_options);
  }
}

const EVERYTHING: ReadonlySet<string> = new Set(['share_file_ids', 'share_album_id', 'share_album_ids', 'share_pre_tags', 'share_options']);

const distinct = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];
