import { Injectable } from '@nestjs/common';
import { defineSubscriber, Handles, type EventDelivery, type JobRun } from '@atrium/platform/messaging';
import { AccessLists } from './access-lists';

/** Responds to subjects of access lists that are gone: lists that name nobody any more open to the creator or to administrators. */
export const subjectsGone = defineSubscriber('identity.access-lists', { events: ['user.removed', 'role.deleted', 'space.deleted'] });

/** Runs `identity.access-lists`. */
@Injectable()
export class AccessListsHandler {
  constructor(private readonly lists: AccessLists) {}

  @Handles(subjectsGone)
  assignMissingOwners(_event: EventDelivery, run: JobRun): Promise<void> {
    return this.lists.assignMissingOwners({ signal: run.signal, heartbeat: () => run.heartbeat() });
  }
}
