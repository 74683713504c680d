import { Body as FromBody, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { Deletes, HasId, LastEventId, PathId, Problems, StreamsEvents, type EventAnswer } from '@atrium/platform/http';
import { PresenceService } from './presence.service';
import { FollowThread, ShowPresence } from './thread-streams.dto';
import { ThreadStreams } from './thread-streams.service';

const EXAMPLE = `retry: 1000

event: lock
data: {"thread_id":"0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e0f","locked":false,"generating_for":null,"run_id":null,"msg_id":null,"queue":0,"since":null,"thread_status":"open","thread_share_mode":"private","resync":false}

event: presence
data: {"thread_id":"0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e0f","users":[],"at":"2026-11-23T09:00:00.000Z"}

event: assistant_message
id: 1763888400000000
data: {"op":"delta","thread_id":"0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e0f","msg_id":"0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e10","run_id":"0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e11","attempt":1,"part":0,"kind":"text","offset":0,"text":"The toner "}

`;

@ApiTags('Threads')
@Controller('threads')
export class ThreadStreamsController {
  constructor(
    private readonly streams: ThreadStreams,
    private readonly presence: PresenceService,
  ) {}

  /**
   * Follows a thread as a stream of server-sent events.
   *
   * Event types: `user_message`, `assistant_message`, `lock` (whether the thread is being answered) and `presence`
   * (who is there). An answer grows by the `op` of its events: `start`, `delta` (append `text` to part number `part`
   * if its length is `offset`), `part` (create or replace a part), `citations`, `step`, `wait`, `reset` (replace the
   * content), `snapshot`, `done`, `updated`. All events of an answer together equal the stored message.
   *
   * Reconnect with the id of the last event to receive the events that you missed. `resync: true` in `lock` means
   * that events may be missing, because the id is no longer known or the service was interrupted: read the messages
   * again. `closed` in `lock` means that the stream ends: `deleted`, `access_revoked`, `expired` (sign in again) or
   * `shutdown` (connect again). You can have up to 10 streams for each thread.
   */
  @Get(':id/events')
  @Named('followThread')
  @Policy({ any: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @StreamsEvents({ description: 'Events, until the connection is closed.', example: EXAMPLE })
  @Problems('rate_limited')
  follow(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { last_event_id }: FollowThread,
    @LastEventId() header?: string,
  ): Promise<EventAnswer> {
    return this.streams.openStream(caller, id, header ?? (last_event_id === '' ? undefined : last_event_id));
  }

  /**
   * Signals that you are viewing a thread or typing in it.
   *
   * Everyone who follows the thread receives a `presence` event. Send at most two signals per second.
   */
  @Post(':id/presence')
  @HttpCode(204)
  @Named('showPresence')
  @Policy({ any: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @Deletes()
  @Problems('rate_limited')
  show(@Caller() caller: Principal, @PathId() id: string, @FromBody() { state }: ShowPresence): Promise<void> {
    return this.presence.showPresence(caller, id, state);
  }
}
