import { Choice, IdList, Nested, Ref, Stamp, Text, TextList } from '@atrium/platform/database';
import { acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { SocialSlot } from '../domain/social-slot';

const STATES = ['draft', 'in_review', 'approved', 'scheduled', 'publishing', 'published', 'partial', 'failed', 'cancelled'] as const;
const IDS = { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: 20 } as const;
const TEXTS = { type: 'array', items: { type: 'string' }, maxItems: 20 } as const;

export class CreateSocialSlot extends Body(SocialSlot, {
  required: ['sls_weekday', 'sls_time'],
  optional: ['sls_target', 'sls_timezone', 'sls_active'],
}) {}

export class ListSocialSlots extends ListQuery(SocialSlot) {}

@Answer()
export class SocialSlotView extends View(SocialSlot) {}

export class SocialSlotPage extends PageOf(SocialSlotView) {}

@Answer()
export class NextSlotView {
  @Stamp({ about: 'When the slot is.', sort: true }) at!: Date;
  @Ref({ about: 'Id of the slot.' }) sls_id!: string;
  @Ref({ optional: true, about: 'Target of the slot. Null: all targets.' }) sls_target!: string | null;
  @Text({ about: 'Time zone of the slot.', example: 'Europe/Berlin' }) sls_timezone!: string;
}

export class NextSlotPage extends PageOf(NextSlotView) {}

/** Query of GET /admin/social/slots/next. */
export class NextSlotsQuery extends ListQuery(NextSlotView, { whole: true }) {
  targets?: string[];
  after?: Date;
  count?: number;
}
acceptParameter(
  NextSlotsQuery,
  { name: 'targets', kind: 'ids', max: 20 },
  {
    ...IDS,
    items: { ...IDS.items },
    description: 'Slots for posts to these targets; repeat the parameter for several. Default: all slots.',
  },
);
acceptParameter(NextSlotsQuery, { name: 'after', kind: 'stamp', about: 'Only slots after this time. Default: now.' });
acceptParameter(NextSlotsQuery, { name: 'count', kind: 'whole', min: 1, max: 50, about: 'Number of slots. Default: 10.' });

@Answer()
class CalendarPostView {
  @Ref({ about: 'Id of the post.' }) sp_id!: string;
  @Text({ about: 'Title of the post.', example: 'Spring launch' }) sp_title!: string;
  @Choice(STATES, { about: 'State of the post.', example: 'scheduled' }) sp_state!: string;
  @IdList({ about: 'Ids of its targets.' }) sp_targets!: string[];
  @Text({ optional: true, about: 'Campaign.', example: 'spring' }) sp_campaign!: string | null;
  @TextList({ about: 'Labels.', example: ['launch'] }) sp_labels!: string[];
}

@Answer()
class CalendarSlotView {
  @Ref({ about: 'Id of the slot.' }) sls_id!: string;
  @Ref({ optional: true, about: 'Target of the slot. Null: all targets.' }) sls_target!: string | null;
}

@Answer()
export class CalendarEntryView {
  @Choice(['post', 'slot'], { about: 'A post, or a slot that is free.', example: 'post' }) kind!: 'post' | 'slot';
  @Stamp({ about: 'When the post is sent or was sent, or when the slot is.', sort: true }) at!: Date;
  @Text({
    about: 'The same time in the time zone `tz`. Without it: of slots in their own time zone, of posts in UTC.',
    example: '2026-12-07T09:00',
  })
  local!: string;
  @Nested(() => CalendarPostView, { optional: true, about: 'The post. Null for slots.' }) post!: CalendarPostView | null;
  @Nested(() => CalendarSlotView, { optional: true, about: 'The slot. Null for posts.' }) slot!: CalendarSlotView | null;
}

export class CalendarPage extends PageOf(CalendarEntryView) {}

/** Query of GET /social-calendar. */
export class CalendarParameters extends ListQuery(CalendarEntryView, { whole: true }) {
  from!: Date;
  to!: Date;
  tz?: string;
  targets?: string[];
  states?: string[];
  labels?: string[];
  campaign?: string;
}
acceptParameter(CalendarParameters, { name: 'from', kind: 'stamp', about: 'Start of the period.' }, undefined, true);
acceptParameter(
  CalendarParameters,
  { name: 'to', kind: 'stamp', about: 'End of the period, at most 100 days after its start.' },
  undefined,
  true,
);
acceptParameter(CalendarParameters, {
  name: 'tz',
  kind: 'text',
  min: 1,
  max: 64,
  about: 'Time zone of `local` (IANA name).',
  example: 'Europe/Berlin',
});
acceptParameter(
  CalendarParameters,
  { name: 'targets', kind: 'ids', max: 20 },
  { ...IDS, items: { ...IDS.items }, description: 'Only posts and slots of these targets; repeat the parameter for several.' },
);
acceptParameter(
  CalendarParameters,
  { name: 'states', kind: 'texts', max: 20 },
  { ...TEXTS, items: { type: 'string', enum: [...STATES] }, description: 'Only posts in these states; repeat the parameter for several.' },
);
acceptParameter(
  CalendarParameters,
  { name: 'labels', kind: 'texts', max: 20 },
  { ...TEXTS, items: { ...TEXTS.items }, description: 'Only posts with one of these labels; repeat the parameter for several.' },
);
acceptParameter(CalendarParameters, { name: 'campaign', kind: 'text', min: 1, max: 100, about: 'Only posts of this campaign.' });
