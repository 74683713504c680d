import { Module } from '@nestjs/common';
import { IdentityModule } from '@atrium/identity';
import { FlowActors } from './application/flow-actors';
import { FlowLock } from './infrastructure/flow-lock';

const APPROVALS = [FlowActors, FlowLock];

/** The engine of states, transitions and allowed actors, for contexts whose subjects follow flows. */
@Module({ imports: [IdentityModule], providers: APPROVALS, exports: APPROVALS })
export class ApprovalsModule {}
