import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import { pick, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { SocialPost } from '../domain/social-post';

export const POSTS_AUDIT = defineAuditTypes({
  'social_post.created': 'A social post was created.',
  'social_post.updated': 'A social post was changed, scheduled, cancelled or restored.',
  'social_post.sent': 'The sending of a social post was started.',
  'social_post.deleted': 'A social post was deleted.',
  'social_post.changed_remotely': 'A published social post was edited or deleted at its platform.',
});

const SHOWN = [
  'sp_title',
  'sp_text',
  'sp_targets',
  'sp_state',
  'sp_schedule_at',
  'sp_campaign',
  'sp_labels',
  'sp_acl',
  'sp_active',
] as const;

/** Recorded as changed, and not with its words: who reads the log may be shut out of the post. */
const CONTENT = ['sp_text', 'sp_campaign'] as const;

export type PostEvent = 'created' | 'scheduled' | 'published' | 'failed' | 'cancelled' | 'removed';

/** What is recorded and reported of posts, within the unit of work of the change. */
@Injectable()
export class PostJournal {
  constructor(
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  readFacts(post: SocialPost): JsonObject {
    const { sp_schedule_at, ...facts } = pick(post, SHOWN);
    return { ...facts, sp_targets: [...facts.sp_targets], sp_schedule_at: sp_schedule_at?.toISOString() ?? null };
  }

  record(type: keyof typeof POSTS_AUDIT, post: SocialPost, before: JsonObject | null): void {
    const after = type === 'social_post.deleted' ? null : this.readFacts(post);
    this.audit.record({
      type: POSTS_AUDIT[type],
      target: { type: 'social_post', id: post.sp_id, name: post.sp_title },
      ...changesBetween(before, after, CONTENT),
    });
  }

  emitEvent(name: PostEvent, { sp_id, sp_state }: Pick<SocialPost, 'sp_id' | 'sp_state'>): void {
    this.outbox.emitEvent({ name: `social_post.${name}`, subject_id: sp_id, payload: { state: sp_state } });
  }
}
