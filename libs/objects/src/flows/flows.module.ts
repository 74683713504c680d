import { Module, type Provider } from '@nestjs/common';
import { ApprovalsModule } from '@atrium/approvals';
import { FormsModule } from '@atrium/forms';
import { IdentityModule } from '@atrium/identity';
import { JobsModule } from '@atrium/platform/messaging';
import { ObjectRowsModule } from '../objects/objects.module';
import { FlowAdoption } from './application/flow-adoption';
import { FlowStates } from './application/flow-states';
import { FlowsService } from './application/flows.service';
import { StateMoves } from './application/state-moves';
import { StateRemovals } from './application/state-removals';
import { TransitionNeeds } from './application/transition-needs';
import { TransitionsService } from './application/transitions.service';
import { LifecycleFlowsController } from './http/flows.controller';
import { TransitionsController } from './http/transitions.controller';
import { LifecycleFlowsRepository } from './infrastructure/lifecycle-flows.repository';
import { TransitionRecords } from './infrastructure/transition-records.rows';
import { FlowsHandler } from './jobs/flows.handler';
import { adoptObjects, followStates } from './jobs/flows.jobs';

const FLOWS: Provider[] = [
  FlowAdoption,
  FlowsService,
  FlowStates,
  LifecycleFlowsRepository,
  StateMoves,
  StateRemovals,
  TransitionNeeds,
  TransitionRecords,
  TransitionsService,
];

/** Lifecycle flows: the states that objects go through, who moves them, and what a move needs. */
@Module({ imports: [ApprovalsModule, FormsModule, IdentityModule, ObjectRowsModule], providers: FLOWS, exports: FLOWS })
export class FlowsModule {}

/** Its routes. */
@Module({ imports: [FlowsModule], controllers: [LifecycleFlowsController, TransitionsController] })
export class FlowsHttpModule {}

/** Its background work. */
@Module({ imports: [FlowsModule, JobsModule.define([adoptObjects, followStates])], providers: [FlowsHandler] })
export class FlowsWorkerModule {}
