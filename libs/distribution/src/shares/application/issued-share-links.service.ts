import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, sql, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, invalidField, notFound } from '@atrium/platform/kernel';
import { ShareLinksRepository, type ShareLinkFilters } from '../infrastructure/share-links.repository';
import { ShareAnswers, type IssuedShareLink } from './share-answers';
import { ShareJournal } from './share-journal';
import { auditedLink } from './share-links.audit';
import { ShareLinks } from './share-links.service';
import { ShareCreators } from './share-creators';
import { ShareNotices } from './share-notices';

const BATCH = 1_000;

/** Which links are to be revoked: those that meet all that is said. */
export interface RevokeOrder {
  readonly share_created_by?: string;
  readonly share_ids?: readonly string[];
  readonly no_password?: boolean;
  readonly older_than?: Date;
}

/** Every link of a workspace, for those who administer them: seen without its address, switched off, shortened, revoked. */
@Injectable()
export class IssuedShareLinks {
  constructor(
    private readonly db: Database,
    private readonly links: ShareLinksRepository,
    private readonly own: ShareLinks,
    private readonly makers: ShareCreators,
    private readonly answers: ShareAnswers,
    private readonly notices: ShareNotices,
    private readonly journal: ShareJournal,
    private readonly clock: Clock,
  ) {}

  list(query: ShareLinkFilters): Promise<Page<IssuedShareLink>> {
    return this.db.read(async () => {
      const page = await this.links.listLinks(await this.makers.findRights(await this.links.findCreators()), query, sql`true`);
      return { ...page, data: page.data.map((row) => this.answers.toIssuedLink(row)) };
    });
  }

  get(id: string): Promise<IssuedShareLink> {
    return this.db.read(() => this.read(id));
  }

  change(
    caller: Principal,
    id: string,
    { share_active, share_expires_at }: { readonly share_active?: boolean; readonly share_expires_at?: Date | null },
    precondition?: Precondition,
  ): Promise<IssuedShareLink> {
    return this.db.write(async () => {
      const link = await this.links.lock(id, precondition);
      link.assertNotRevoked();
      const before = auditedLink(link);
      if (share_active !== undefined) link.share_active = share_active;
      if (share_expires_at !== undefined) {
        if (share_expires_at !== null && share_expires_at <= this.clock.now())
          throw invalidField('share_expires_at', 'must be in the future', 'too_early');
        link.share_expires_at = share_expires_at;
      }
      link.touch(this.clock);
      await this.links.save(link);
      if (share_expires_at !== undefined) this.notices.planExpiry(link);
      if (link.share_created_by !== caller.user_id)
        this.notices.planAdministered(
          link,
          share_active === false ? 'turned off' : share_active === true ? 'turned on' : 'given another expiry',
        );
      this.journal.recordUpdated(link, before);
      return this.read(id);
    });
  }

  revoke(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(() => this.revokeOne(caller, id, precondition).then(() => undefined));
  }

  /** Revokes every link that meets the order, in batches; how many. */
  async revokeMany(caller: Principal, order: RevokeOrder): Promise<{ revoked: number }> {
    const { share_created_by, share_ids, no_password, older_than } = order;
    const conditions = [
      ...(share_created_by === undefined ? [] : [sql`share_created_by = ${share_created_by}`]),
      ...(share_ids === undefined ? [] : [sql`share_id = ANY(${[...share_ids]}::uuid[])`]),
      ...(no_password ? [sql`share_password_hash IS NULL`] : []),
      ...(older_than === undefined ? [] : [sql`share_created < ${older_than}`]),
    ];
    if (conditions.length === 0) throw invalidField('share_ids', 'requires at least one condition', 'required');
    for (let revoked = 0; ;) {
      const some = await this.db.write(async () => {
        const found = await this.links.findUnrevoked(conditions, BATCH);
        for (const share_id of found) await this.revokeOne(caller, share_id);
        return found.length;
      });
      revoked += some;
      if (some < BATCH) return { revoked };
    }
  }

  private async revokeOne(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    const link = await this.links.lock(id, precondition);
    if (!link.revoke(this.clock)) return;
    await this.own.saveRevoked(link, 'Revoked by an administrator.');
    if (link.share_created_by !== caller.user_id) this.notices.planAdministered(link, 'revoked');
  }

  private async read(id: string): Promise<IssuedShareLink> {
    const found = await this.links.findRow(id);
    const row = found && (await this.links.findLinkRow(await this.makers.findRights([found.share_created_by]), id));
    if (!row) throw notFound('share link');
    return this.answers.toIssuedLink(row);
  }
}
