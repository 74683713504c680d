import { Body as FromBody, Controller, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, KeptAs, PathId, Problems, StartsWith } from '@atrium/platform/http';
import type { Response } from 'express';
import { PromptRuns, type StartedPrompt } from '../application/prompt-runs';
import { answered, keptOf } from './asked-answers';
import { RunPrompt, StartedPromptView } from './runs.dto';

/** Prompts that are run. */
@ApiTags('Prompts')
@Controller('prompts/:id')
export class PromptRunsController {
  constructor(private readonly prompts: PromptRuns) {}

  /**
   * Runs a prompt in a thread.
   *
   * Without `thread_id`, or with an id that no thread has, a new thread of yours is made for it. The values fill in what the text
   * leaves open; one that is missing or not taken is refused at `values.<name>`. The answer is written as after
   * POST /threads/{id}/messages.
   */
  @Post('run')
  @Named('runPrompt')
  @Policy({ all: ['prompt:run'], rate: 'ai' })
  @HasId('id', 'Id of the prompt.')
  @StartsWith(StartedPromptView, 'The question, the answer that begins, and its run.')
  @ApiResponse({ status: 200, type: StartedPromptView, description: 'The answer is there.' })
  @ApiResponse({ status: 201, type: StartedPromptView, description: 'Written, without an answer.' })
  @KeptAs((asked: Partial<StartedPrompt>) => asked.thread && keptOf(asked))
  @Problems('credits_exhausted', 'invalid_state', 'not_configured')
  async run(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { values, thread_id, run_options }: RunPrompt,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StartedPrompt> {
    const asked = await this.prompts.start(caller, thread_id, { prompt_id: id, ...(values ? { values } : {}) }, run_options ?? {});
    return answered(response, asked);
  }
}
