import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { ModelsModule } from '@atrium/models';
import { JobsModule } from '@atrium/platform/messaging';
import { OutboundModule } from '@atrium/platform/outbound';
import { RetrievalModule } from '@atrium/retrieval';
import { AgentsModule } from '../agents/agents.module';
import { EventsModule } from '../events/events.module';
import { MemoriesModule } from '../memories/memories.module';
import { PromptsModule } from '../prompts/prompts.module';
import { OpenStreamsModule } from '../stream/stream.module';
import { ThreadsModule } from '../threads/threads.module';
import { AgentRuns } from './asking/application/agent-runs';
import { AnswerStreams } from './asking/application/answer-streams';
import { AskingService } from './asking/application/asking.service';
import { BuiltInTools } from './loop/application/built-in-tools';
import { CitationChecks } from './asking/application/citation-checks';
import { PromptRuns } from './asking/application/prompt-runs';
import { RunAttachments } from './prompt/run-attachments';
import { RunClaims } from './loop/application/run-claims';
import { AnswerEnds } from './loop/application/answer-ends';
import { ModelSteps } from './loop/application/model-steps';
import { AttemptLoop } from './loop/application/attempt-loop';
import { RunSetup } from './loop/application/run-setup';
import { ToolCalls } from './loop/application/tool-calls';
import { RunEngine } from './loop/application/run-engine';
import { RunCharges } from './records/application/run-charges';
import { RunExpiry } from './records/application/run-expiry';
import { RunInputs } from './prompt/run-input';
import { RunMaterials } from './prompt/run-materials';
import { RunPlanner } from './asking/application/run-planner';
import { CitedMemoryRows } from './asking/infrastructure/cited-memories.rows';
import { DueRunRows } from './records/infrastructure/due-runs.rows';
import { RunPlaceRows } from './records/infrastructure/run-places.rows';
import { RunReasons } from './records/infrastructure/run-reasons';
import { RunRecords } from './records/application/run-records';
import { RunRetention } from './records/application/run-retention';
import { RunSearch } from './prompt/run-search';
import { RunStarter } from './asking/application/run-starter';
import { RunStops } from './records/application/run-stops';
import { RunNotifier } from './records/application/run-notifier';
import { RunTools } from './loop/application/run-tools';
import { RunsService } from './records/application/runs.service';
import { ToolAnswers } from './asking/application/tool-answers';
import { ThreadTitles } from './records/application/thread-titles';
import { AgentRunsController } from './asking/http/agent-runs.controller';
import { PromptRunsController } from './asking/http/prompt-runs.controller';
import { RunsController } from './asking/http/runs.controller';
import { AnswersRepository } from './records/infrastructure/answers.repository';
import { RunStepsRepository } from './records/infrastructure/run-steps.repository';
import { RunsRepository } from './records/infrastructure/runs.repository';
import { ThreadLocksRepository } from './records/infrastructure/thread-locks.repository';
import { ExpirySchedule } from './loop/jobs/expiry.schedule';
import { RunsHandler } from './loop/jobs/runs.handler';
import { answer, nameThread } from './loop/jobs/runs.jobs';

const RUNS: Provider[] = [
  AgentRuns,
  AnswerEnds,
  AnswersRepository,
  AskingService,
  BuiltInTools,
  CitationChecks,
  CitedMemoryRows,
  DueRunRows,
  ModelSteps,
  PromptRuns,
  RunAttachments,
  RunCharges,
  RunClaims,
  AttemptLoop,
  RunEngine,
  RunExpiry,
  RunInputs,
  RunMaterials,
  RunPlaceRows,
  RunPlanner,
  RunReasons,
  RunRecords,
  RunRetention,
  RunSearch,
  RunSetup,
  RunStarter,
  RunStepsRepository,
  RunStops,
  RunNotifier,
  RunTools,
  RunsRepository,
  RunsService,
  ToolAnswers,
  ToolCalls,
  ThreadLocksRepository,
  ThreadTitles,
];

/** The answering of messages: step by step, each committed before the next, whatever becomes of the process that does it. */
@Module({
  imports: [
    AgentsModule,
    EventsModule,
    FilesModule,
    GovernanceModule,
    IdentityModule,
    MemoriesModule,
    ModelsModule,
    OutboundModule,
    PromptsModule,
    RetrievalModule,
    ThreadsModule,
  ],
  providers: RUNS,
  exports: RUNS,
})
export class RunsModule {}

@Module({
  imports: [OpenStreamsModule, RunsModule],
  providers: [AnswerStreams],
  controllers: [RunsController, AgentRunsController, PromptRunsController],
})
export class RunsHttpModule {}

@Module({ imports: [RunsModule, JobsModule.define([answer, nameThread])], providers: [RunsHandler, ExpirySchedule] })
export class RunsWorkerModule {}
