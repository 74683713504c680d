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
import { answeredMessage, keptOf } from './asked-answers';
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
   * Writes a message and lets an agent answer it.
   *
   * The answer is written in the background: follow it with `GET /threads/{id}/events`, or poll the run. With `run_options.wait`, the
   * request waits for that time, and an answer that is ready in time is returned with 200. With `run_options.run: false`, no agent
   * answers, and the status is 201. Credits for the answer are reserved first: if they are insufficient, nothing is written, and the
   * status is 402. While another answer is being written, the status is 409, unless `on_busy` is `interrupt`. A `prompt` also requires
   * the permission `prompt:run`.
   */
  @Post('messages')
  @Named('postMessage')
  @Policy(ASKING)
  @HasId('id', 'Id of the thread.')
  @StartsWith(AskedView, 'The question, the started answer and its run.')
  @ApiResponse({ status: 200, type: AskedView, description: 'The answer.' })
  @ApiResponse({ status: 201, type: AskedView, description: 'The message, without an answer.' })
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
      ? await this.prompts.askPrompt(caller, id, prompt, { ...question, ...options })
      : await this.asking.askQuestion(caller, id, { ...question, ...options });
    return answeredMessage(response, asked);
  }

  /**
   * Regenerates an answer, or answers a question again.
   *
   * Regenerating an answer adds an alternative version, written without knowledge of the first one.
   */
  @Post('messages/:msg_id/regenerate')
  @Named('regenerateMessage')
  @Policy(ASKING)
  @HasId('id', 'Id of the thread.')
  @HasId('msg_id', 'Id of the answer or of the question.')
  @StartsWith(AskedView, 'The question, the started answer and its run.')
  @ApiResponse({ status: 200, type: AskedView, description: 'The answer.' })
  @KeptAs((asked: Partial<AskedMessage>) => keptOf(asked))
  @Problems('credits_exhausted', 'invalid_state', 'not_configured')
  async again(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('msg_id') msg_id: string,
    @FromBody() { run_options }: Regenerate,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AskedMessage> {
    return answeredMessage(response, await this.asking.regenerateAnswer(caller, id, msg_id, run_options ?? {}));
  }

  /**
   * Stops the answer that is being written.
   *
   * The text written so far is kept. If no run is active, `run` is null.
   */
  @Post('stop')
  @HttpCode(200)
  @Named('stopRun')
  @Policy({ all: ['thread:edit'] })
  @HasId('id', 'Id of the thread.')
  @Returns(StoppedView, 'The run and the text kept of its answer.')
  stop(@Caller() caller: Principal, @PathId() id: string, @FromBody() { run_id }: StopRun): Promise<Stopped> {
    return this.stops.stopRun(caller, id, run_id);
  }

  /** Reads a run with its steps and tool calls. */
  @Get('runs/:run_id')
  @Named('readRun')
  @Policy({ all: ['thread:view'] })
  @HasId('id', 'Id of the thread.')
  @HasId('run_id', 'Id of the run.')
  @Returns(RunDetailView, 'The run.')
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('run_id') run_id: string): Promise<RunDetail> {
    return this.runs.get(caller, id, run_id);
  }

  /**
   * Approves tool calls, or sends the results of client tools.
   *
   * Only the person who asked can approve or deny a call; anyone who can write in the thread can send results of client tools. The run
   * continues once nothing is missing. The same result can be sent again; a different one for the same call returns 409.
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
    return this.results.submitResults(caller, id, run_id, results);
  }

  /** Checks the citations of an answer against the current sources. */
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
    return { citations: await this.citations.checkCitations(caller, id, msg_id) };
  }
}
