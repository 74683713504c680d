import { Body as FromBody, Controller, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, KeptAs, PathId, Problems, StartsWith } from '@atrium/platform/http';
import type { Response } from 'express';
import { PromptRuns, type StartedPrompt } from '../application/prompt-runs';
import { answeredMessage, keptOf } from './asked-answers';
import { RunPrompt, StartedPromptView } from './runs.dto';

/** Prompts that are run. */
@ApiTags('Prompts')
@Controller('prompts/:id')
export class PromptRunsController {
  constructor(private readonly prompts: PromptRuns) {}

  /**
   * Runs a prompt in a thread.
   *
   * Without `thread_id`, or with an id that does not exist, a new thread of yours is created. The values fill in the wildcards of the
   * prompt; missing, unknown and invalid values are refused at `values.<name>`. The answer is written as after `POST /threads/{id}/messages`.
   */
  @Post('run')
  @Named('runPrompt')
  @Policy({ all: ['prompt:run'], rate: 'ai' })
  @HasId('id', 'Id of the prompt.')
  @StartsWith(StartedPromptView, 'The question, the started answer and its run.')
  @ApiResponse({ status: 200, type: StartedPromptView, description: 'The answer.' })
  @ApiResponse({ status: 201, type: StartedPromptView, description: 'The message, without an answer.' })
  @KeptAs((asked: Partial<StartedPrompt>) => asked.thread && keptOf(asked))
  @Problems('credits_exhausted', 'invalid_state', 'not_configured')
  async run(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { values, thread_id, run_options }: RunPrompt,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StartedPrompt> {
    const asked = await this.prompts.startPrompt(caller, thread_id, { prompt_id: id, ...(values ? { values } : {}) }, run_options ?? {});
    return answeredMessage(response, asked);
  }
}
