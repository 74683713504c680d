import { Body as FromBody, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { Problem, PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';
import { AnswersOrStreams, API_PREFIX, HasId, KeptAs, PathId, Problems, Returns, StartsWith, WantsEvents } from '@atrium/platform/http';
import type { Response } from 'express';
import { agentAnswerOf, AgentRuns } from '../application/agent-runs';
import { AnswerStreams } from '../application/answer-streams';
import type { RunRow } from '../../records/application/runs.service';
import { AgentAnswerView, AgentRunView, RunAgent, RunView } from './runs.dto';

const EXAMPLE = `retry: 1000

event: assistant_message
data: {"op":"delta","part":0,"kind":"text","offset":0,"text":"The notice period is ","run_id":"0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e11","attempt":1}

event: assistant_message
data: {"op":"done","attempt":1,"run_status":"completed","answer":{"output":"The notice period is three months.","data":null,"citations":[],"usage":{"input_tokens":412,"output_tokens":9},"run_id":"0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e11"},"error":null,"run_id":"0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e11"}

`;

/** Questions to agents without a thread. */
@ApiTags('Agents')
@Controller('agents/:id')
export class AgentRunsController {
  constructor(
    private readonly runs: AgentRuns,
    private readonly streams: AnswerStreams,
  ) {}

  /**
   * Asks an agent one question, without a thread.
   *
   * Returns 200 with the answer, or 202 with the run to poll if the answer takes longer than `wait`. If the run fails within that
   * time, its problem is returned. Your memories are not used.
   *
   * With `Accept: text/event-stream` the answer is streamed as it is written, and `wait` is ignored. Each event is an
   * `assistant_message` with an `op`: `start` (the run), `delta` (append `text` to part number `part` if its length is `offset`),
   * `part` (create or replace a part), `citations`, `step`, `reset` (replace all parts), `snapshot` (all parts) and finally `done`
   * with `run_status`, the `answer` as in JSON if the run is completed, and the `error` if it failed. Invalid requests return a
   * problem, as without a stream. The run continues if the client disconnects: read it at `Location`. Up to 10 streams for each agent
   * and user.
   */
  @Post('run')
  @Named('runAgent')
  @Policy({ all: ['agent:run'], rate: 'ai' })
  @HasId('id', 'Id of the agent.')
  @StartsWith(RunView, 'The run to poll.')
  @AnswersOrStreams(AgentAnswerView, { description: 'The answer.', example: EXAMPLE })
  @KeptAs((run: Partial<RunRow>) => (run.run_id === undefined ? undefined : { status: 202, body: run, headers: placeOf(run) }))
  @Problems('credits_exhausted', 'not_configured', 'unprocessable_content', 'upstream_failed', 'upstream_timeout', 'rate_limited')
  async run(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: RunAgent,
    @WantsEvents() wantsEvents: boolean,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    if (wantsEvents) {
      const { run, events } = await this.streams.openStream(caller, id, body);
      response.status(200).set(placeOf(run));
      return events;
    }
    const run = await this.runs.askAgent(caller, id, body);
    if (run.run_status === 'failed') throw failureOf(run);
    const isDone = run.run_status === 'completed';
    response.status(isDone ? 200 : 202).set(placeOf(run));
    return isDone ? agentAnswerOf(run) : run;
  }

  /** Reads one of your runs without a thread. */
  @Get('runs/:run_id')
  @Named('readAgentRun')
  @Policy({ all: ['agent:run'] })
  @HasId('id', 'Id of the agent.')
  @HasId('run_id', 'Id of the run.')
  @Returns(AgentRunView, 'The run.')
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('run_id') run_id: string): Promise<RunRow> {
    return this.runs.get(caller, id, run_id);
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
