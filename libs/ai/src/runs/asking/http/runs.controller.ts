import { Body as FromBody, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, KeptAs, PathId, Problems, Returns, StartsWith } from '@atrium/platform/http';
import { invalidField } from '@atrium/platform/kernel';
import type { Response } from 'express';
import { AskingService, type AskedMessage } from '../application/asking.service';
import { CitationChecks, type CheckedCitation } from '../application/citation-checks';
import { PromptRuns } from '../application/prompt-runs';
import { RunStops, type Stopped } from '../../records/application/run-stops';
import { RunsService, type RunDetail } from '../../records/application/runs.service';
import { ToolAnswers } from '../application/tool-answers';
import { answered, keptOf } from './asked-answers';
import { AskedView, CheckedCitations, PostMessage, Regenerate, RunDetailView, StoppedView, StopRun, ToolResults } from './runs.dto';

const ASKING = { any: ['thread:create', 'thread:edit'], rate: 'ai' } as const;

/** Questions in threads and the runs that answer them. */
@ApiTags('Messages')
@Controller('threads/:id')
export class RunsController {
  constructor(
    private readonly asking: AskingService,
    private readonly prompts: PromptRuns,
    private readonly runs: RunsService,
    private readonly results: ToolAnswers,
    private readonly stops: RunStops,
    private readonly citations: CitationChecks,
  ) {}

  /**
   * Writes a message and has an agent answer it.
   *
   * The answer is written in the background: follow it with GET /threads/{id}/events, or poll the run. With `run_options.wait` the
   * request waits so long; an answer that is there in time comes with status 200. With `run_options.run: false` nobody answers, and
   * the status is 201. Credits for the answer are set aside first: without them nothing is written, and the status is 402. While
   * another answer is written the status is 409, unless `on_busy` is `interrupt`. A `prompt` takes the permission prompt:run besides.
   */
  @Post('messages')
  @Named('postMessage')
  @Policy(ASKING)
  @HasId('id', 'Id of the thread.')
  @StartsWith(AskedView, 'The question, the answer that begins, and its run.')
  @ApiResponse({ status: 200, type: AskedView, description: 'The answer is there.' })
  @ApiResponse({ status: 201, type: AskedView, description: 'Written, without an answer.' })
  @KeptAs((asked: Partial<AskedMessage>) => keptOf(asked))
  @Problems('credits_exhausted', 'invalid_state', 'not_configured', 'unprocessable_content')
  async post(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: PostMessage,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AskedMessage> {
    const { run_options, prompt, ...question } = body;
    const options = run_options ? { run_options } : {};
    if (prompt && (question.msg_text !== undefined || question.msg_parts !== undefined))
      throw invalidField('prompt', 'takes the place of msg_text: send one of them', 'one_of');
    const asked = prompt
      ? await this.prompts.ask(caller, id, prompt, { ...question, ...options })
      : await this.asking.ask(caller, id, { ...question, ...options });
    return answered(response, asked);
  }

  /**
   * Answers a message again.
   *
   * Of an answer another version beside it is made, which does not know the first; of a question another answer.
   */
  @Post('messages/:msg_id/regenerate')
  @Named('regenerateMessage')
  @Policy(ASKING)
  @HasId('id', 'Id of the thread.')
  @HasId('msg_id', 'Id of the answer or of the question.')
  @StartsWith(AskedView, 'The question, the answer that begins, and its run.')
  @ApiResponse({ status: 200, type: AskedView, description: 'The answer is there.' })
  @KeptAs((asked: Partial<AskedMessage>) => keptOf(asked))
  @Problems('credits_exhausted', 'invalid_state', 'not_configured')
  async again(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('msg_id') msg_id: string,
    @FromBody() { run_options }: Regenerate,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AskedMessage> {
    return answered(response, await this.asking.again(caller, id, msg_id, run_options ?? {}));
  }

  /**
   * Stops the answer that is being written.
   *
   * What was written is kept. Where nothing is running the run is null.
   */
  @Post('stop')
  @HttpCode(200)
  @Named('stopRun')
  @Policy({ all: ['thread:edit'] })
  @HasId('id', 'Id of the thread.')
  @Returns(StoppedView, 'The run, and what is kept of its answer.')
  stop(@Caller() caller: Principal, @PathId() id: string, @FromBody() { run_id }: StopRun): Promise<Stopped> {
    return this.stops.stop(caller, id, run_id);
  }

  /** Reads a run with its steps and its calls of tools. */
  @Get('runs/:run_id')
  @Named('readRun')
  @Policy({ all: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @HasId('run_id', 'Id of the run.')
  @Returns(RunDetailView, 'The run.')
  one(@Caller() caller: Principal, @PathId() id: string, @PathId('run_id') run_id: string): Promise<RunDetail> {
    return this.runs.one(caller, id, run_id);
  }

  /**
   * Approves calls of tools, or sends what tools of the client brought.
   *
   * Only the person who asked approves or denies a call; results of tools of the client come from anybody who may write in the thread.
   * The run goes on when nothing is missing any more. The same result may be sent again; another one for the same call answers 409.
   */
  @Post('runs/:run_id/tool-results')
  @HttpCode(200)
  @Named('answerToolCalls')
  @Policy({ all: ['thread:edit'] })
  @HasId('id', 'Id of the thread.')
  @HasId('run_id', 'Id of the run.')
  @Returns(RunDetailView, 'The run.')
  @Problems('invalid_state')
  answer(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('run_id') run_id: string,
    @FromBody() { results }: ToolResults,
  ): Promise<RunDetail> {
    return this.results.take(caller, id, run_id, results);
  }

  /** Checks the citations of an answer against their sources as they are now. */
  @Get('messages/:msg_id/citations/check')
  @Named('checkCitations')
  @Policy({ all: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @HasId('msg_id', 'Id of the answer.')
  @Returns(CheckedCitations, 'The current state of each citation.')
  async check(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('msg_id') msg_id: string,
  ): Promise<{ readonly citations: readonly CheckedCitation[] }> {
    return { citations: await this.citations.check(caller, id, msg_id) };
  }
}
