import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { inWorkspace, requireScope, runInScope, type CallScope } from '@atrium/platform/database';
import { Edge, EventAnswer, type EventSocket } from '@atrium/platform/http';
import { Problem } from '@atrium/platform/kernel';
import { EventStreams, FROM_START } from '@atrium/platform/messaging';
import { runStream } from '../../../events/run-events';
import { RightsWatch } from '../../../stream/rights-watch';
import { StreamPlaces } from '../../../stream/stream-places';
import type { RunRow } from '../../records/infrastructure/runs.repository';
import { AgentRuns, type AgentQuestion } from './agent-runs';
import { FollowedRun } from './followed-run';

/** A run that was begun, and its events. */
interface StreamedRun {
  readonly run: RunRow;
  readonly events: EventAnswer;
}

/** Questions to agents whose answers are sent as they are written. A run goes on whatever becomes of its client. */
@Injectable()
export class AnswerStreams implements OnModuleInit {
  private readonly sockets = new Set<EventSocket>();

  constructor(
    private readonly runs: AgentRuns,
    private readonly streams: EventStreams,
    private readonly rights: RightsWatch,
    private readonly places: StreamPlaces,
    private readonly edge: Edge,
  ) {}

  onModuleInit(): void {
    this.edge.onDrain(() => [...this.sockets].forEach((socket) => socket.endStream()));
  }

  /** What is wrong with the question is said before the stream begins. */
  async openStream(caller: Principal, agent_id: string, question: AgentQuestion): Promise<StreamedRun> {
    if (this.edge.isDraining)
      throw new Problem('service_unavailable', 'This host is shutting down; ask again.', { headers: { 'Retry-After': '1' } });
    const free = this.places.takePlace(`${caller.tenant_id}/${caller.user_id}`, agent_id, 'agent');
    try {
      const run = await this.runs.askAgent(caller, agent_id, { ...question, wait: 0, followed: true });
      const scope = requireScope();
      const begin = (socket: EventSocket): void => {
        socket.onEnd(free);
        this.follow(caller, run, { scope, socket });
      };
      return { run, events: new EventAnswer(begin, free) };
    } catch (error) {
      free();
      throw error;
    }
  }

  private follow(caller: Principal, run: RunRow, { scope, socket }: Begun): void {
    this.sockets.add(socket);
    socket.onEnd(() => this.sockets.delete(socket));
    // It began before the host was about to end, and came in after all others were closed.
    if (this.edge.isDraining) return socket.endStream();
    const stream = runStream(run.run_id);
    const followed = new FollowedRun({
      run,
      socket,
      expires_at: caller.expires_at,
      inTurn: (work) => this.rights.checks.runInLane(work, scope.tenant_id),
      events: (signal) => this.streams.tailStream(stream, FROM_START, signal),
      read: () => runInScope(scope, () => this.runs.get(caller, run.run_agent, run.run_id)),
      citations: (list) => runInScope(scope, () => this.runs.viewRunCitations(caller, list)),
    });
    socket.onEnd(this.rights.watchRights(caller, () => void followed.checkRun()));
    void inWorkspace(scope.tenant_id, async () => {
      const isDone = await followed.followRun();
      // Nobody else follows it. What is left for a client that has gone is forgotten after an hour.
      if (isDone) await this.streams.deleteStream(stream).catch(() => undefined);
    });
  }
}

interface Begun {
  readonly scope: CallScope & { readonly tenant_id: string };
  readonly socket: EventSocket;
}
