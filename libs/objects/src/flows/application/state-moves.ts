import { Injectable } from '@nestjs/common';
import { FormRows } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { requireScope } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { requireWritten } from '../../objects/application/object-problems';
import { ObjectWrites } from '../../objects/application/object-writes';
import type { EnteredState, ObjectFacts } from '../../objects/domain/object-change';
import type { WorkspaceObject } from '../../objects/domain/workspace-object';
import { TransitionRecords } from '../infrastructure/transition-records.rows';

/** An object, locked, and the state that it is to have. */
export interface StateMove {
  readonly object: WorkspaceObject;
  readonly to: EnteredState;
  /** Written with the move. */
  readonly obj_content?: ObjectFacts['obj_content'];
}

/** How objects are moved: by whom, and by which transition. */
export interface MoveReason {
  readonly by: Principal | null;
  /** Null: the flow or its states have changed. */
  readonly transition: string | null;
  readonly comment?: string | null;
}

/** Writes new states of objects, whatever moves them: the objects, their history and events, and what searches find of them, in one unit of work. */
@Injectable()
export class StateMoves {
  constructor(
    private readonly forms: FormRows,
    private readonly writes: ObjectWrites,
    private readonly records: TransitionRecords,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async applyMoves(moves: readonly StateMove[], { by, transition, comment = null }: MoveReason): Promise<void> {
    if (moves.length === 0) return;
    const forms = await this.forms.openAll('object', [...new Set(moves.map(({ object }) => object.obj_form))], 'share');
    for (const form of forms.values()) {
      const own = moves.filter(({ object }) => object.obj_form === form.form_id);
      const changes = own.map(({ object, to, obj_content }) => ({
        op: 'update' as const,
        object,
        facts: { state: to, ...(obj_content === undefined ? {} : { obj_content }) },
      }));
      for (const outcome of await this.writes.applyChanges(form, changes, { by, action: 'transitioned' })) requireWritten(outcome);
    }
    const otr_by = by?.user_id ?? requireScope().actor.user_id;
    await this.records.insertRecords(
      moves.map(({ object, to }) => ({
        otr_object: object.obj_id,
        otr_flow: to.flow_id,
        otr_transition: transition,
        otr_from: object.obj_status,
        otr_to: to.state,
        otr_comment: comment,
        otr_by,
      })),
      this.clock.now(),
    );
    for (const { object, to } of moves)
      this.outbox.emitEvent({
        name: 'object.transitioned',
        subject_id: object.obj_id,
        payload: { form_id: object.obj_form, flow: to.flow_id, transition, from: object.obj_status, to: to.state },
      });
  }
}
