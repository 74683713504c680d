import { Injectable } from '@nestjs/common';
import { AclSubjects } from '@atrium/identity';
import { assertAclChange, assertAclLevel, permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, TimeZones, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound, type JsonObject } from '@atrium/platform/kernel';
import { ServedTargets } from '../../connections/application/served-targets';
import type { Utm } from '../../network/domain/utm';
import { titleOf } from '../domain/post-parts';
import { SocialPost } from '../domain/social-post';
import { PostsRepository, type PostRow, type PostSelection } from '../infrastructure/posts.repository';
import { PostAnswers, stateBy, type PostAnswer } from './post-answers';
import { PostApprovals } from './post-approvals';
import { PostContent, type WrittenContent } from './post-content';
import { PostJournal } from './post-journal';
import { PostMoves, type ScheduleWish } from './post-moves.service';
import { PostSources } from './post-sources';

/** What a client writes of a post. */
export interface PostWish extends WrittenContent {
  readonly sp_title?: string;
  readonly sp_timezone?: string;
  readonly sp_utm?: Utm | null;
  readonly sp_campaign?: string | null;
  readonly sp_labels?: readonly string[];
  readonly sp_acl?: JsonObject;
  readonly sp_metadata?: JsonObject;
  readonly sp_active?: boolean;
}

export interface NewPost extends PostWish {
  readonly schedule_at?: Date;
  readonly next_slot?: boolean;
  readonly publish?: boolean;
  readonly sp_source?: SocialPost['sp_source'];
}

export interface PostFilters extends ListParameters {
  readonly sp_state?: readonly string[];
  readonly sp_targets?: readonly string[];
  readonly sp_labels?: readonly string[];
  readonly sp_platform?: string;
  readonly sp_active?: boolean;
}

const CONTENT = ['sp_text', 'sp_files', 'sp_link', 'sp_targets', 'variants', 'sp_utm'] as const;
const PLAIN = ['sp_title', 'sp_timezone', 'sp_utm', 'sp_campaign', 'sp_labels', 'sp_metadata', 'sp_active'] as const;

/** The posts of a workspace. */
@Injectable()
export class PostsService {
  constructor(
    private readonly db: Database,
    private readonly posts: PostsRepository,
    private readonly content: PostContent,
    private readonly answers: PostAnswers,
    private readonly approvals: PostApprovals,
    private readonly moves: PostMoves,
    private readonly journal: PostJournal,
    private readonly targets: ServedTargets,
    private readonly sources: PostSources,
    private readonly acls: AclSubjects,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(
    caller: Principal,
    { sp_state, sp_targets, sp_labels, sp_platform, sp_active = true, ...query }: PostFilters,
  ): Promise<Page<PostAnswer>> {
    const selection: PostSelection = {
      active: sp_active,
      ...(sp_state ? { states: sp_state } : {}),
      ...(sp_targets ? { targets: sp_targets } : {}),
      ...(sp_labels ? { labels: sp_labels } : {}),
      ...(sp_platform ? { platform: sp_platform } : {}),
    };
    return this.db.read(async () => {
      const page = await this.posts.listPosts(caller, query, selection);
      const answers = await this.answers.completePosts(page.data);
      return { ...page, data: answers.map(({ row_version: _, ...post }) => post as PostAnswer) };
    });
  }

  get(caller: Principal, sp_id: string): Promise<PostAnswer> {
    return this.db.read(() => this.readPost(caller, sp_id));
  }

  async create(caller: Principal, wish: NewPost): Promise<PostAnswer> {
    const moves = wish.schedule_at !== undefined || wish.next_slot === true || wish.publish === true;
    if (moves && !caller.permissions.has('social:publish')) throw permissionDenied(['social:publish']);
    if (wish.sp_timezone !== undefined) await this.zones.assertTimeZone('sp_timezone', wish.sp_timezone);
    return this.db.write(async () => {
      const zone = wish.sp_timezone ?? (await this.targets.readWorkspaceZone());
      const post = SocialPost.blank({ sp_id: this.ids.next(), sp_timezone: zone, sp_created_by: caller.user_id }, this.clock.now());
      if (wish.sp_source) post.sp_source = await this.sources.requireSource(caller, wish.sp_source);
      if (wish.sp_acl !== undefined) post.sp_acl = await this.acls.validateSubjects('sp_acl', wish.sp_acl);
      Object.assign(post, plainOf(wish));
      if (wish.sp_title === undefined) post.sp_title = titleOf(wish.sp_text ?? '');
      await this.posts.insert(post);
      await this.content.writeContent(caller, post, wish, true);
      await this.posts.save(post);
      await this.content.writeReferences(post);
      this.journal.record('social_post.created', post, null);
      this.journal.emitEvent('created', post);
      if (moves) await this.moveNew(caller, post.sp_id, wish);
      return this.answerWritten(post.sp_id);
    });
  }

  async change(caller: Principal, sp_id: string, wish: PostWish, precondition?: Precondition): Promise<PostAnswer> {
    if (wish.sp_timezone !== undefined) await this.zones.assertTimeZone('sp_timezone', wish.sp_timezone);
    return this.db.write(async () => {
      const post = await this.posts.lockToChange(sp_id, wish, precondition, (row) => assertAclLevel(row.sp_acl, caller, 'edit', 'post'));
      const before = this.journal.readFacts(post);
      const fields = Object.entries(wish).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      post.assertChangeable(fields.filter((field) => field !== 'sp_active'));
      if (wish.sp_acl !== undefined) {
        assertAclChange(post.sp_acl, caller, 'post');
        post.sp_acl = await this.acls.validateSubjects('sp_acl', wish.sp_acl, { before: post.sp_acl });
      }
      if (wish.sp_active === false) {
        if (!caller.permissions.has('social:delete')) throw permissionDenied(['social:delete']);
        await this.deactivate(post);
      }
      Object.assign(post, plainOf(wish));
      if (fields.some((field) => (CONTENT as readonly string[]).includes(field))) await this.changeContent(caller, post, wish);
      post.touch(caller.user_id, this.clock);
      await this.posts.save(post);
      this.journal.record('social_post.updated', post, before);
      return this.answerWritten(sp_id);
    });
  }

  /** Refuses what `remove` would refuse, before anything is done elsewhere. */
  assertRemovable(caller: Principal, sp_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const post = await this.posts.lockToDelete(sp_id, precondition, (row) => assertAclLevel(row.sp_acl, caller, 'edit', 'post'));
      post?.assertDeletable();
    });
  }

  /** The row stays for 30 days; what was published stays where it is. */
  remove(caller: Principal, sp_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const post = await this.posts.lockToDelete(sp_id, precondition, (row) => assertAclLevel(row.sp_acl, caller, 'edit', 'post'));
      if (!post) return;
      const before = this.journal.readFacts(post);
      await this.deactivate(post);
      post.touch(caller.user_id, this.clock);
      await this.posts.save(post);
      this.journal.record('social_post.deleted', post, before);
    });
  }

  /** It is not sent, and nobody judges it any more. */
  private async deactivate(post: SocialPost): Promise<void> {
    post.assertDeletable();
    if (post.sp_state === 'scheduled') post.cancel();
    post.sp_active = false;
    await this.approvals.recordRemoval(post.sp_id);
    this.journal.emitEvent('removed', post);
  }

  /** Content that was edited must be approved again as its flow says, and scheduled again by somebody who may publish. */
  private async changeContent(caller: Principal, post: SocialPost, wish: PostWish): Promise<void> {
    await this.approvals.assertUnlocked(post.sp_id);
    post.reopen();
    await this.content.writeContent(caller, post, wish, false);
    await this.posts.save(post);
    await this.content.writeReferences(post);
    await this.approvals.recordEdit(post.sp_id);
    const approval = (await this.approvals.findStandings([post.sp_id])).get(post.sp_id) ?? null;
    const approved = stateBy(approval);
    const isReset = approval !== null && approved !== 'approved';
    if (post.sp_state === 'scheduled' && (!caller.permissions.has('social:publish') || isReset))
      post.unschedule(approved === 'approved' ? 'approved' : 'draft');
    else if (['draft', 'in_review', 'approved'].includes(post.sp_state)) post.followApproval(approved);
  }

  private async moveNew(caller: Principal, sp_id: string, { schedule_at, next_slot, publish }: NewPost): Promise<void> {
    if (publish === true) {
      await this.moves.publish(caller, sp_id);
      return;
    }
    const wish: ScheduleWish = { ...(schedule_at ? { sp_schedule_at: schedule_at } : {}), ...(next_slot ? { next_slot } : {}) };
    await this.moves.schedule(caller, sp_id, wish);
  }

  private async readPost(caller: Principal, sp_id: string): Promise<PostAnswer> {
    return this.answerWith(await this.posts.findPostRow(caller, sp_id));
  }

  private async answerWritten(sp_id: string): Promise<PostAnswer> {
    return this.answerWith(await this.posts.findWrittenRow(sp_id));
  }

  private answerWith(row: PostRow | undefined): Promise<PostAnswer> {
    if (!row) throw notFound('post');
    return this.answers.completePost(row);
  }
}

const plainOf = (wish: PostWish): Partial<PostWish> =>
  Object.fromEntries(PLAIN.filter((name) => wish[name] !== undefined).map((name) => [name, wish[name]]));
