import { Choice } from '@atrium/platform/database';
import { acceptParameter, Accepts } from '@atrium/platform/http';
import { PRESENCE_STATES } from './thread-state';

export class FollowThread {
  last_event_id?: string;
}
acceptParameter(
  FollowThread,
  { name: 'last_event_id', kind: 'text', max: 100_000 },
  { type: 'string', description: 'Same as the header `Last-Event-ID`, which takes precedence.' },
);

@Accepts()
export class ShowPresence {
  @Choice(PRESENCE_STATES, {
    about: 'Kind of presence. `viewing` lasts 30 seconds and `typing` 6 seconds; repeat it before then. `left` ends it immediately.',
    example: 'viewing',
  })
  state!: (typeof PRESENCE_STATES)[number];
}
