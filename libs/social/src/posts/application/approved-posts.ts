import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApprovalSubjects, type ApprovalSubject, type ApprovedVersion, type FrozenSubject } from '@atrium/approvals';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { Clock, MINUTE, Problem, type FieldFault } from '@atrium/platform/kernel';
import type { SocialPost } from '../domain/social-post';
import { PostsRepository } from '../infrastructure/posts.repository';
import { VariantsRepository } from '../infrastructure/variants.repository';
import { JudgedContent } from './judged-content';
import { SUBJECT_TYPE, PostApprovals, type MovedSubject, type MoveWish } from './post-approvals';
import { PostMoves } from './post-moves.service';
import { PostNotices } from './post-notices';
import { stateBy } from './post-answers';

/** Posts as subjects of approval: what is judged, who may judge it, and what follows when it is approved. */
@Injectable()
export class ApprovedPosts implements ApprovalSubject, OnModuleInit {
  readonly type = SUBJECT_TYPE;
  readonly noun = 'post';
  readonly view = 'social:view';
  readonly edit = 'social:edit';
  readonly publishPermission = 'social:publish';
  readonly checks = [];

  constructor(
    private readonly db: Database,
    private readonly subjects: ApprovalSubjects,
    private readonly posts: PostsRepository,
    private readonly variants: VariantsRepository,
    private readonly approvals: PostApprovals,
    private readonly content: JudgedContent,
    private readonly moves: PostMoves,
    private readonly notices: PostNotices,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.subjects.register(this);
  }

  /** Moves a post along its flow; its state follows in the same unit of work. */
  moveAlongFlow(caller: Principal, sp_id: string, wish: MoveWish): Promise<MovedSubject> {
    return this.db.write(async () => {
      const moved = await this.approvals.applyTransition(caller, sp_id, wish);
      await this.followFlow(sp_id);
      return moved;
    });
  }

  readable(reader: Principal, id: Sql, level: 'view' | 'edit'): Sql {
    return sql`EXISTS (SELECT FROM social_post p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.sp_id = ${id} AND p.sp_active AND ${aclAllows('p.sp_acl', reader, level)})`;
  }

  async findNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.posts.findTitles(ids)).map(({ sp_id, sp_title }) => [sp_id, sp_title]));
  }

  async findCreators(ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    return new Map((await this.posts.findTitles(ids)).map(({ sp_id, sp_created_by }) => [sp_id, sp_created_by]));
  }

  async freeze(sp_id: string): Promise<FrozenSubject> {
    const post = await this.posts.lock(sp_id);
    return { version: String(post.row_version), hash: await this.content.hashContent(post, await this.variants.listVariantsOf([sp_id])) };
  }

  check(): Promise<readonly FieldFault[]> {
    return Promise.resolve([]);
  }

  /** A post that cannot be sent as it is stays approved: its issues say why, and so does a mail to its creator. */
  async publish({ car_subject_id, car_hash, car_publish }: ApprovedVersion, by: Principal): Promise<void> {
    const post = await this.posts.lock(car_subject_id);
    if ((await this.content.hashContent(post, await this.variants.listVariantsOf([post.sp_id]))) !== car_hash) return;
    post.followApproval('approved');
    try {
      await this.send(post, car_publish?.at ? new Date(car_publish.at) : null, by);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      post.noteUnsent(error.detail);
      await this.notices.notifyUnsent(post, { targets: post.sp_targets, reason: error.detail });
    }
    await this.posts.save(post);
  }

  /** A time that has passed by now is no reason to wait. */
  private async send(post: SocialPost, at: Date | null, { user_id, key_id }: Principal): Promise<void> {
    const asker = { user_id, key_id };
    if (at && at >= this.clock.after(MINUTE)) await this.moves.applySchedule(post, { sp_schedule_at: at }, asker);
    else await this.moves.applyPublish(post, asker);
  }

  /** A post that was judged at another route is where its flow has it; one that is gone is nowhere. */
  followDecision(sp_id: string): Promise<void> {
    return this.db.write(async () => {
      if (await this.posts.findRow(sp_id)) await this.followFlow(sp_id);
    });
  }

  private async followFlow(sp_id: string): Promise<void> {
    const post = await this.posts.lock(sp_id);
    if (!post.sp_active) return;
    const state = stateBy((await this.approvals.findStandings([sp_id])).get(sp_id) ?? null);
    const isOver =
      !post.isUnsent || (post.sp_state === 'cancelled' && state === 'draft') || (post.sp_state === 'failed' && state !== 'in_review');
    if (isOver || (post.sp_state === 'scheduled' && state === 'approved')) return;
    post.followApproval(state);
    await this.posts.save(post);
  }
}
