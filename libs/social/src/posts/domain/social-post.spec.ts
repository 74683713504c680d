import { Clock } from '@atrium/platform/kernel';
import { assertSchedulable, SocialPost } from './social-post';
import { SocialVariant } from './social-variant';

const NOW = new Date('2026-11-30T10:00:00Z');
class Fixed extends Clock {
  override now(): Date {
    return NOW;
  }
}
const CLOCK = new Fixed();
const ASKER = { user_id: 'u', key_id: 'k' };
const post = (): SocialPost => SocialPost.blank({ sp_id: 'p', sp_timezone: 'UTC', sp_created_by: 'u' }, NOW);
const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);

describe('a post', () => {
  it('is sent with the rights of the person who scheduled it, and forgets them when it is unscheduled', () => {
    const draft = post();
    draft.schedule(at(5), { slot: 's', asker: ASKER });
    expect(draft).toMatchObject({
      sp_state: 'scheduled',
      sp_schedule_at: at(5),
      sp_slot: 's',
      sp_scheduled_by: 'u',
      sp_scheduled_key: 'k',
    });
    draft.unschedule('approved');
    expect(draft).toMatchObject({
      sp_state: 'approved',
      sp_schedule_at: null,
      sp_slot: null,
      sp_scheduled_by: null,
      sp_scheduled_key: null,
    });
  });

  it('is late by the time at which it was due, and by its start when a person sends it', () => {
    const scheduled = post();
    scheduled.schedule(at(5), { slot: null, asker: ASKER });
    scheduled.beginPublishing(null, CLOCK);
    expect(scheduled.sp_started).toEqual(at(5));
    const now = post();
    now.beginPublishing(ASKER, CLOCK);
    expect(now).toMatchObject({ sp_started: NOW, sp_scheduled_by: 'u', sp_state: 'publishing' });
  });

  it('cannot be deleted, edited or cancelled while it is publishing, and later changes labels alone', () => {
    const sent = post();
    sent.beginPublishing(ASKER, CLOCK);
    expect(() => sent.assertDeletable()).toThrow('The post is publishing');
    expect(() => sent.cancel()).toThrow('cannot be cancelled');
    expect(() => sent.assertChangeable(['sp_text'])).toThrow('cannot be edited');
    expect(() => sent.assertChangeable(['sp_labels', 'sp_campaign', 'sp_metadata'])).not.toThrow();
    expect(sent.conclude(['published', 'sending'])).toBeNull();
    expect(sent.conclude(['published', 'failed'])).toBe('partial');
  });

  it('is a draft again when a cancelled one is edited', () => {
    const cancelled = post();
    cancelled.cancel();
    cancelled.reopen();
    expect(cancelled.sp_state).toBe('draft');
  });

  it.each([
    [0.9, 'at least one minute ahead'],
    [367 * 24 * 60, 'at most one year ahead'],
  ])('is not scheduled %d minutes ahead', (minutes, words) => expect(() => assertSchedulable(at(minutes), NOW)).toThrow(words));
});

describe('a variant', () => {
  const variant = (): SocialVariant => SocialVariant.blank({ spv_id: 'v', spv_post: 'p', spv_target: 't' });

  it('counts its attempts over all, and its tries since a person sent it', () => {
    const sent = variant();
    expect([sent.beginSending(), sent.beginNextAttempt()]).toEqual([1, 2]);
    sent.fail({ code: 'unavailable', message: 'x', retryable: true }, NOW);
    expect(sent.beginSending()).toBe(3);
    expect(sent).toMatchObject({ spv_tries: 1, spv_attempts: 3, spv_error: null, spv_state: 'sending' });
  });

  it('whose outcome is unknown is published or fails, and is not sent', () => {
    const lost = variant();
    lost.beginSending();
    lost.loseSight('x', NOW);
    expect(() => lost.beginSending()).toThrow('The variant is unknown');
    lost.publish('urn:li:share:1', 'https://example.com', NOW);
    expect(lost).toMatchObject({ spv_state: 'published', spv_error: null, spv_published: NOW });
    lost.markRemoved(false);
    expect(lost).toMatchObject({ spv_state: 'published', spv_removed: true });
  });
});
