import { Body as FromBody, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { Problem, PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';
import { API_PREFIX, HasId, KeptAs, PathId, Problems, Returns, StartsWith } from '@atrium/platform/http';
import type { Response } from 'express';
import { AgentRuns } from '../application/agent-runs';
import type { RunRow } from '../application/runs.service';
import { AgentAnswerView, AgentRunView, RunAgent, RunView } from './runs.dto';

/** Questions to agents without a thread. */
@ApiTags('Agents')
@Controller('agents/:id')
export class AgentRunsController {
  constructor(private readonly runs: AgentRuns) {}

  /**
   * Asks an agent one question, without a thread.
   *
   * Answers 200 with the answer. One that takes longer than `wait` is 202 with the run to poll; one that fails in that time answers
   * with the problem. Memories of the caller are not used.
   */
  @Post('run')
  @Named('runAgent')
  @Policy({ all: ['agent:run'], rate: 'ai' })
  @HasId('id', 'Id of the agent.')
  @StartsWith(RunView, 'The run to poll.')
  @ApiResponse({ status: 200, type: AgentAnswerView, description: 'The answer.' })
  @KeptAs((run: Partial<RunRow>) => (run.run_id === undefined ? undefined : { status: 202, body: run, headers: placeOf(run) }))
  @Problems('credits_exhausted', 'not_configured', 'unprocessable_content', 'upstream_failed', 'upstream_timeout')
  async run(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: RunAgent,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const run = await this.runs.ask(caller, id, body);
    if (run.run_status === 'failed') throw failureOf(run);
    const isDone = run.run_status === 'completed';
    response.status(isDone ? 200 : 202).set(placeOf(run));
    return isDone ? answerOf(run) : run;
  }

  /** Reads a run of one's own that has no thread. */
  @Get('runs/:run_id')
  @Named('readAgentRun')
  @Policy({ all: ['agent:run'] })
  @HasId('id', 'Id of the agent.')
  @HasId('run_id', 'Id of the run.')
  @Returns(AgentRunView, 'The run.')
  one(@Caller() caller: Principal, @PathId() id: string, @PathId('run_id') run_id: string): Promise<RunRow> {
    return this.runs.one(caller, id, run_id);
  }
}

const placeOf = ({ run_agent, run_id }: Partial<RunRow>): { readonly Location: string } => ({
  Location: `/${API_PREFIX}/agents/${run_agent ?? ''}/runs/${run_id ?? ''}`,
});

/** Why it failed, as a run keeps it; a code that is none of the service's is its own fault. */
function failureOf({ run_id, run_error }: RunRow): Problem {
  const { code, detail } = run_error ?? {};
  const known = typeof code === 'string' && Object.hasOwn(PROBLEMS, code) ? (code as ProblemCode) : 'internal_error';
  return new Problem(known, `${typeof detail === 'string' ? detail : 'The answer failed.'} The run is ${run_id}.`);
}

const answerOf = ({ run_id, run_output, run_usage }: RunRow): object => ({
  output: run_output?.['output'] ?? '',
  data: run_output?.['data'] ?? null,
  citations: run_output?.['citations'] ?? [],
  usage: run_usage,
  run_id,
});
