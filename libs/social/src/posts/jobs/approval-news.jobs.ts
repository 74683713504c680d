import { defineSubscriber } from '@atrium/platform/messaging';

/** Brings the state of a post along that was judged elsewhere, for lists. */
export const approvalNews = defineSubscriber('social.approval-news', {
  events: ['approval.closed'],
  wants: (_, { subject_type }) => subject_type === 'social_post',
});
