import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, inWorkspace, requireScope, runInScope, type CallScope } from '@atrium/platform/database';
import { Edge, EventAnswer, type EventSocket } from '@atrium/platform/http';
import { Lanes, Problem, type JsonObject } from '@atrium/platform/kernel';
import { EventStreams, type Unsubscribe } from '@atrium/platform/messaging';
import { ThreadAccessSignals, type AccessChange } from '../events/thread-access-signals';
import { threadStream } from '../events/thread-events';
import { MessageReader } from '../threads/application/message-reader';
import { ThreadAccess } from '../threads/application/thread-access';
import { EntryTexts } from './entry-texts';
import { FollowedThread } from './followed-thread';
import { PresenceService } from './presence.service';
import { ReaderView } from './reader-view';
import { RightsWatch } from './rights-watch';
import { StreamPlaces } from './stream-places';
import { ThreadConnection, type ThreadSource } from './thread-connection';
import { ThreadAudience } from './thread-audience';
import { ThreadStateRepository } from './thread-state.repository';

/** What connections ask at once: the connections of a pool are shared with requests. */
const QUESTIONS_AT_ONCE = 8;
const MOST_WAITING = 100_000;
const MOST_LOOKS = 5;

/** The streams of this process: opened for those who may read a thread, sent what happens in it, ended with their rights or the host. */
@Injectable()
export class ThreadStreams implements OnModuleInit {
  /** By workspace and thread. */
  private readonly crowds = new Map<string, Map<string, ThreadAudience>>();
  private readonly hearing = new Map<string, Promise<Unsubscribe[]>>();
  private readonly questions = new Lanes(QUESTIONS_AT_ONCE, MOST_WAITING);

  constructor(
    private readonly db: Database,
    private readonly access: ThreadAccess,
    private readonly reader: MessageReader,
    private readonly rows: ThreadStateRepository,
    private readonly view: ReaderView,
    private readonly texts: EntryTexts,
    private readonly presence: PresenceService,
    private readonly streams: EventStreams,
    private readonly changes: ThreadAccessSignals,
    private readonly rights: RightsWatch,
    private readonly places: StreamPlaces,
    private readonly edge: Edge,
  ) {}

  onModuleInit(): void {
    this.edge.onDrain(() => {
      for (const crowds of this.crowds.values())
        for (const { followers } of crowds.values()) for (const { connection } of [...followers]) connection.closeStream('shutdown');
    });
  }

  async openStream(caller: Principal, thread_id: string, after: string | undefined): Promise<EventAnswer> {
    if (this.edge.isDraining)
      throw new Problem('service_unavailable', 'The server is shutting down. Connect again.', { headers: { 'Retry-After': '1' } });
    await this.db.read(() => this.access.requireThread(caller, thread_id, 'view'));
    const free = this.places.takePlace(`${caller.tenant_id}/${caller.user_id}`, thread_id);
    const scope = requireScope();
    return new EventAnswer((socket) => {
      socket.onEnd(free);
      void this.follow({ caller, thread_id, after, scope, socket });
    }, free);
  }

  private async follow({ caller, thread_id, after, scope, socket }: Opening): Promise<void> {
    if (socket.isOver) return;
    const { db, access, rows, streams, view, texts } = this;
    const { tenant_id } = scope;
    const source = this.sourceOf(scope, caller, thread_id);
    const connection = new ThreadConnection({
      thread_id,
      caller,
      stream: threadStream(thread_id),
      streams: inside(scope, streams),
      source,
      view,
      texts,
      socket,
    });
    const follower = new FollowedThread({ db, access, rows, scope, thread_id, connection, socket, lanes: this.rights.checks });
    const crowd = this.enter(tenant_id, follower);
    const unwatch = this.rights.watchRights(caller, () => void follower.checkState());
    socket.onEnd(() => {
      unwatch();
      if (crowd.removeFollower(follower)) this.ended(tenant_id, thread_id);
    });
    // It began before the host was about to end, and came in after all others were closed.
    if (this.edge.isDraining) return connection.closeStream('shutdown');
    try {
      await inWorkspace(tenant_id, () => this.hear(tenant_id));
      await inWorkspace(tenant_id, () => crowd.startListening());
      connection.openFrom(after);
    } catch {
      // The store of events cannot be reached: the client connects again.
      socket.endStream();
    }
  }

  private enter(tenant_id: string, follower: FollowedThread): ThreadAudience {
    const { thread_id } = follower;
    const crowds = this.crowds.get(tenant_id) ?? new Map<string, ThreadAudience>();
    const crowd = crowds.get(thread_id) ?? this.crowdOf(tenant_id, thread_id);
    this.crowds.set(tenant_id, crowds.set(thread_id, crowd));
    crowd.addFollower(follower);
    return crowd;
  }

  private crowdOf(tenant_id: string, thread_id: string): ThreadAudience {
    return new ThreadAudience(
      ({ followers }) =>
        this.streams.joinStream(threadStream(thread_id), {
          onEvent: (event) => followers.forEach(({ connection }) => connection.handleEvent(event)),
          onMissed: () => followers.forEach(({ connection }) => connection.catchUp()),
        }),
      () => inWorkspace(tenant_id, () => this.db.read(() => this.presence.list(thread_id))),
    );
  }

  private ended(tenant_id: string, thread_id: string): void {
    const crowds = this.crowds.get(tenant_id);
    crowds?.delete(thread_id);
    if (crowds && crowds.size > 0) return;
    this.crowds.delete(tenant_id);
    const heard = this.hearing.get(tenant_id);
    this.hearing.delete(tenant_id);
    void heard?.then((stops) => Promise.all(stops.map((stop) => stop()))).catch(() => undefined);
  }

  /** What happens in a workspace besides the events of threads: once for all streams of it in this process. */
  private hear(tenant_id: string): Promise<Unsubscribe[]> {
    const known = this.hearing.get(tenant_id);
    if (known) return known;
    const begun = Promise.all([
      this.changes.addListener((change) => this.checkAll(tenant_id, change)),
      this.presence.addListener((thread_id) => void this.crowds.get(tenant_id)?.get(thread_id)?.broadcastPresence()),
    ]);
    this.hearing.set(tenant_id, begun);
    begun.catch(() => this.hearing.delete(tenant_id));
    return begun;
  }

  /** A space may be named by any thread of the workspace, in its access list too. */
  private checkAll(tenant_id: string, change: AccessChange): void {
    for (const [thread_id, { followers }] of this.crowds.get(tenant_id) ?? [])
      if ('space_id' in change || change.thread_id === thread_id) for (const follower of followers) void follower.checkState();
  }

  /** Each question is asked as the caller: the rights that they have by then decide. */
  private sourceOf(scope: Opening['scope'], caller: Principal, thread_id: string): ThreadSource {
    const asked = <T>(work: () => Promise<T>): Promise<T> => this.questions.runInLane(() => runInScope(scope, work), scope.tenant_id);
    const asCaller = <T>(work: () => Promise<T>): Promise<T> =>
      asked(() =>
        this.db.read(async () => {
          await this.access.requireThread(caller, thread_id, 'view');
          return work();
        }),
      );
    const message = async (msg_id: string): Promise<JsonObject | null> => {
      const row = await this.reader.findMessage(thread_id, msg_id);
      return row ? plain(await this.reader.viewMessage(caller, row)) : null;
    };
    return {
      readStored: () => asCaller(() => this.rows.readState(thread_id)),
      readMessage: (msg_id) => asCaller(() => message(msg_id)),
      // Message and checkpoint are written together; what was read between two looks at the same checkpoint belongs to it.
      readSnapshot: (msg_id) =>
        asCaller(async () => {
          for (let before = await this.rows.readState(thread_id), looks = 1; ; looks++) {
            const row = await message(msg_id);
            if (!row) return null;
            const stored = await this.rows.readState(thread_id);
            if (stored.checkpoint === before.checkpoint || looks === MOST_LOOKS) return { message: row, stored };
            before = stored;
          }
        }),
      readPresence: () => asCaller(async () => (await this.presence.list(thread_id)).data),
      viewEntry: (entry) => asked(() => this.view.viewFor(caller, thread_id, entry)),
    };
  }
}

interface Opening {
  readonly caller: Principal;
  readonly thread_id: string;
  readonly after: string | undefined;
  readonly scope: CallScope & { readonly tenant_id: string };
  readonly socket: EventSocket;
}

/** The store of events, read in the workspace of the connection. */
const inside = (
  scope: CallScope & { readonly tenant_id: string },
  streams: EventStreams,
): Pick<EventStreams, 'readEvents' | 'idSince' | 'isAfter'> => ({
  readEvents: (stream, after, limit) => inWorkspace(scope.tenant_id, () => streams.readEvents(stream, after, limit)),
  idSince: (moment) => streams.idSince(moment),
  isAfter: (id, other) => streams.isAfter(id, other),
});

/** As it is sent. */
const plain = (row: object): JsonObject => {
  const { row_version: _, ...shown } = row as JsonObject;
  return shown;
};
