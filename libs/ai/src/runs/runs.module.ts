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
import { AgentRuns } from './application/agent-runs';
import { AnswerStreams } from './application/answer-streams';
import { AskingService } from './application/asking.service';
import { BuiltInTools } from './application/built-in-tools';
import { CitationChecks } from './application/citation-checks';
import { PromptRuns } from './application/prompt-runs';
import { RunAttachments } from './application/run-attachments';
import { RunClaims } from './application/run-claims';
import { RunEngine } from './application/run-engine';
import { RunExpiry } from './application/run-expiry';
import { RunInputs } from './application/run-input';
import { RunMaterials } from './application/run-materials';
import { RunPlanner } from './application/run-planner';
import { RunReasons } from './application/run-reasons';
import { RunRecords } from './application/run-records';
import { RunRetention } from './application/run-retention';
import { RunSearch } from './application/run-search';
import { RunStarter } from './application/run-starter';
import { RunStops } from './application/run-stops';
import { RunTelling } from './application/run-telling';
import { RunTools } from './application/run-tools';
import { RunsService } from './application/runs.service';
import { ToolAnswers } from './application/tool-answers';
import { ThreadTitles } from './application/thread-titles';
import { AgentRunsController } from './http/agent-runs.controller';
import { PromptRunsController } from './http/prompt-runs.controller';
import { RunsController } from './http/runs.controller';
import { AnswersRepository } from './infrastructure/answers.repository';
import { RunStepsRepository } from './infrastructure/run-steps.repository';
import { RunsRepository } from './infrastructure/runs.repository';
import { ThreadLocksRepository } from './infrastructure/thread-locks.repository';
import { ExpirySchedule } from './jobs/expiry.schedule';
import { RunsHandler } from './jobs/runs.handler';
import { answer, nameThread } from './jobs/runs.jobs';

const RUNS: Provider[] = [
  AgentRuns,
  AnswersRepository,
  AskingService,
  BuiltInTools,
  CitationChecks,
  PromptRuns,
  RunAttachments,
  RunClaims,
  RunEngine,
  RunExpiry,
  RunInputs,
  RunMaterials,
  RunPlanner,
  RunReasons,
  RunRecords,
  RunRetention,
  RunSearch,
  RunStarter,
  RunStepsRepository,
  RunStops,
  RunTelling,
  RunTools,
  RunsRepository,
  RunsService,
  ToolAnswers,
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
