import { Injectable } from '@nestjs/common';
import { assertAclLevel, type Principal } from '@atrium/platform/access';
import { Database, TimeZones, type Precondition } from '@atrium/platform/database';
import { Clock, invalidField, invalidFields, invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { SlotTimes } from '../../calendar/application/slot-times';
import { assertMove, isSendable, type PostMove } from '../domain/post-states';
import { assertSchedulable, type Asker, type SocialPost } from '../domain/social-post';
import type { SocialVariant } from '../domain/social-variant';
import { PostsRepository } from '../infrastructure/posts.repository';
import { VariantsRepository } from '../infrastructure/variants.repository';
import { publishVariant } from '../jobs/publishing.jobs';
import { JudgedContent } from './judged-content';
import { PostAnswers, stateBy, type PostAnswer } from './post-answers';
import { PostApprovals } from './post-approvals';
import { PostJournal } from './post-journal';
import { PostRendering } from './post-rendering';

export interface ScheduleWish {
  readonly sp_schedule_at?: Date;
  readonly sp_timezone?: string;
  readonly next_slot?: boolean;
}

const askerOf = ({ user_id, key_id }: Principal): Asker => ({ user_id, key_id });

/** Moves posts towards being sent, and back. A post that is sent was judged as it is sent. */
@Injectable()
export class PostMoves {
  constructor(
    private readonly db: Database,
    private readonly posts: PostsRepository,
    private readonly variants: VariantsRepository,
    private readonly answers: PostAnswers,
    private readonly approvals: PostApprovals,
    private readonly content: JudgedContent,
    private readonly rendering: PostRendering,
    private readonly slots: SlotTimes,
    private readonly journal: PostJournal,
    private readonly outbox: Outbox,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
  ) {}

  async schedule(caller: Principal, sp_id: string, wish: ScheduleWish, precondition?: Precondition): Promise<PostAnswer> {
    if (wish.sp_timezone !== undefined) await this.zones.assertTimeZone('sp_timezone', wish.sp_timezone);
    if ((wish.sp_schedule_at === undefined) === (wish.next_slot !== true))
      throw invalidField('sp_schedule_at', 'must be given, unless next_slot is true', 'required');
    return this.moveAs(caller, sp_id, { move: 'schedule', precondition }, async (post) => {
      await this.applySchedule(post, wish, askerOf(caller));
    });
  }

  unschedule(caller: Principal, sp_id: string): Promise<PostAnswer> {
    return this.moveAs(caller, sp_id, { move: 'unschedule' }, async (post) => {
      post.unschedule((await this.approvedState(sp_id)) === 'approved' ? 'approved' : 'draft');
    });
  }

  /** An open request for approval is withdrawn. */
  cancel(caller: Principal, sp_id: string): Promise<PostAnswer> {
    return this.moveAs(caller, sp_id, { move: 'cancel' }, async (post) => {
      post.cancel();
      await this.approvals.recordRemoval(sp_id);
      this.journal.emitEvent('cancelled', post);
    });
  }

  publish(caller: Principal, sp_id: string): Promise<PostAnswer> {
    return this.moveAs(caller, sp_id, { move: 'publish' }, (post) => this.applyPublish(post, askerOf(caller)));
  }

  /** Sends variants that were not published again: those that are named, or all of them, also those that were added since. */
  retry(caller: Principal, sp_id: string, wanted: readonly string[] | null): Promise<PostAnswer> {
    return this.moveAs(caller, sp_id, { move: 'retry' }, async (post) => {
      const unsent = (await this.variants.lockVariantsOf(sp_id)).filter(isSendable);
      assertAmong(wanted ?? [], unsent);
      const named = wanted?.map((id) => id.toLowerCase());
      const chosen = named ? unsent.filter(({ spv_id }) => named.includes(spv_id)) : unsent;
      if (chosen.length === 0) throw invalidState('No variant of the post has failed.');
      post.beginRetry(askerOf(caller), this.clock);
      await this.startVariants(chosen);
      this.journal.record('social_post.sent', post, null);
    });
  }

  /** Within a unit of work that holds the post: it was judged as it is, and is sent at that moment. */
  async applySchedule(post: SocialPost, wish: ScheduleWish, asker: Asker): Promise<void> {
    const variants = await this.assertSendable(post);
    const slot = wish.next_slot === true ? await this.slots.requireNext(post.sp_targets, post.sp_id) : null;
    const at = slot?.at ?? wish.sp_schedule_at;
    if (!at) throw invalidField('sp_schedule_at', 'must be given, unless next_slot is true', 'required');
    assertSchedulable(at, this.clock.now());
    await this.approvals.demandApproval(post.sp_id, await this.content.hashContent(post, variants));
    if (wish.sp_timezone !== undefined) post.sp_timezone = wish.sp_timezone;
    post.schedule(at, { slot: slot?.slot.sls_id ?? null, asker });
    this.journal.emitEvent('scheduled', post);
  }

  /** Within a unit of work that holds the post. */
  async applyPublish(post: SocialPost, asker: Asker): Promise<void> {
    const variants = await this.assertSendable(post);
    await this.approvals.demandApproval(post.sp_id, await this.content.hashContent(post, variants));
    post.beginPublishing(asker, this.clock);
    await this.startVariants(variants.filter(isSendable));
    this.journal.record('social_post.sent', post, null);
  }

  /** The jobs that send variants; each is one attempt. */
  async startVariants(variants: readonly SocialVariant[]): Promise<void> {
    for (const variant of variants) {
      const number = variant.beginSending();
      await this.variants.save(variant);
      this.outbox.addJob(planJob(publishVariant, { spv_id: variant.spv_id, number }));
    }
  }

  private async moveAs(
    caller: Principal,
    sp_id: string,
    { move, precondition }: { readonly move: PostMove; readonly precondition?: Precondition | undefined },
    work: (post: SocialPost) => Promise<void>,
  ): Promise<PostAnswer> {
    return this.db.write(async () => {
      const post = await this.posts.lock(sp_id, precondition, (row) => assertAclLevel(row.sp_acl, caller, 'edit', 'post'));
      this.posts.assertActive(post);
      const before = this.journal.readFacts(post);
      if (['draft', 'in_review', 'approved'].includes(post.sp_state)) post.followApproval(await this.approvedState(sp_id));
      assertMove(post.sp_state, move);
      await work(post);
      post.touch(caller.user_id, this.clock);
      await this.posts.save(post);
      this.journal.record('social_post.updated', post, before);
      const row = await this.posts.findPostRow(caller, sp_id);
      if (!row) throw notFound('post');
      return this.answers.completePost(row);
    });
  }

  /** Its variants, locked, when nothing keeps it from being sent; else the issues. */
  private async assertSendable(post: SocialPost): Promise<SocialVariant[]> {
    if (post.sp_targets.length === 0)
      throw unsendable([{ path: 'sp_targets', code: 'required', message: 'Choose at least one target before the post is sent.' }]);
    const variants = await this.variants.lockVariantsOf(post.sp_id);
    const { issues } = await this.rendering.renderPost(post, variants);
    post.sp_issues = issues;
    const errors = issues.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw unsendable(errors);
    return variants;
  }

  private async approvedState(sp_id: string): Promise<'draft' | 'in_review' | 'approved'> {
    return stateBy((await this.approvals.findStandings([sp_id])).get(sp_id) ?? null);
  }
}

const unsendable = (errors: readonly { readonly path: string; readonly code: string; readonly message: string }[]): Problem =>
  new Problem(
    'unprocessable_content',
    errors.length === 1 ? (errors[0]?.message ?? '') : `The post has ${errors.length} errors and cannot be sent; see errors.`,
    { errors: errors.map(({ path, code, message }) => ({ path, code, message })) },
  );

function assertAmong(wanted: readonly string[], unsent: readonly SocialVariant[]): void {
  const faults = wanted.flatMap((id, at) =>
    unsent.some(({ spv_id }) => spv_id === id.toLowerCase())
      ? []
      : [{ path: `variants[${at}]`, code: 'reference', message: 'must be a variant of this post that was not published' }],
  );
  if (faults.length > 0) throw invalidFields(faults);
}
