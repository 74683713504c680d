import { Choice, Flag, IdList, Json, Nested, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, Answer, View } from '@atrium/platform/http';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { AgentToolBody } from '../../../agents/http/agents.dto';
import { MOST_SCHEMA_BYTES } from '../../../agents/domain/agent';
import { MOST_TOOLS } from '../../../agents/domain/agent-tool';
import { MOST_PARTS, MOST_TEXT } from '../../../threads/domain/message-parts';
import { MessageView } from '../../../threads/http/messages.dto';
import { ThreadDetail } from '../../../threads/http/threads.dto';
import { MessageCitationView } from '../../../threads/http/messages.dto';
import { MOST_ASKED } from '../../prompt/input-budget';
import { MOST_STEPS } from '../../records/domain/run-plan';
import { MOST_OUTPUT } from '../../loop/domain/tool-loop';
import { Run } from '../../records/domain/run';

@Accepts()
class RunOptionsBody {
  @Flag({ omittable: true, about: 'Whether an agent answers. Default: true.' }) run?: boolean;
  @Ref({ omittable: true, about: 'Agent that answers. Default: the agent of the thread, of its space or of the workspace.' })
  agent_id?: string;
  @Text({
    omittable: true,
    max: 200,
    about: 'Model of the answer, if the agent allows messages to choose it.',
    example: 'atrium/extract-1',
  })
  model_id?: string;
  @Json({ omittable: true, about: 'Model parameters, if the agent allows messages to choose them.', example: { temperature: 0.2 } })
  params?: JsonObject;
  @IdList({ omittable: true, max: 50, about: 'Additional knowledge bases to search, if the agent allows messages to choose them.' })
  knowledge?: string[];
  @NestedList(() => AgentToolBody, {
    omittable: true,
    max: MOST_TOOLS,
    about: 'Tools that replace those of the agent, if the agent allows messages to choose them.',
    example: [{ tool: 'search_knowledge' }],
  })
  tools?: AgentToolBody[];
  @Json({ omittable: true, max: MOST_SCHEMA_BYTES, about: 'JSON Schema of the answer, an object.' })
  schema?: JsonObject;
  @Whole({ omittable: true, min: 1, max: MOST_STEPS, about: 'Maximum number of model calls. Default: 8.', example: 8 }) max_steps?: number;
  @Choice(['reject', 'interrupt'], {
    omittable: true,
    about: 'What happens while another answer is being written: `reject` returns 409, `interrupt` stops it.',
    example: 'reject',
  })
  on_busy?: 'reject' | 'interrupt';
  @Whole({ omittable: true, min: 0, max: 60, about: 'Seconds to wait for the answer. Default: 0.', example: 30 }) wait?: number;
}

@Accepts()
class PostedPartBody {
  @Choice(['text', 'file'], { about: 'Kind of the part: a text or a file.', example: 'text' }) kind!: 'text' | 'file';
  @Text({ omittable: true, max: MOST_TEXT, about: 'The text.', example: 'How do I change the toner?' }) text?: string;
  @Ref({ omittable: true, about: 'The file.' }) file_id?: string;
}

@Accepts()
class PromptOfMessage {
  @Ref({ about: 'The prompt.' }) prompt_id!: string;
  @Json({ omittable: true, about: 'Values of its wildcards by name.', example: { Tone: 'friendly' } }) values?: JsonObject;
}

/** Body of POST /threads/{id}/messages. */
@Accepts()
export class PostMessage {
  @Text({
    omittable: true,
    min: 1,
    max: MOST_TEXT,
    about: 'Text of the message. A message needs a text or a file.',
    example: 'How long is the notice period?',
  })
  msg_text?: string;
  @NestedList(() => PostedPartBody, { omittable: true, min: 1, max: MOST_PARTS, about: 'Texts and files in order, instead of `msg_text`.' })
  msg_parts?: PostedPartBody[];
  @IdList({ omittable: true, max: 20, about: 'Attachments: files that you may read.' }) msg_files?: string[];
  @Ref({
    optional: true,
    about:
      'Message that it follows. Default: the end of the current branch. Another message starts a branch; null starts again from the beginning.',
  })
  msg_parent?: string | null;
  @Nested(() => PromptOfMessage, { omittable: true, about: 'Prompt that is run, instead of a text.' }) prompt?: PromptOfMessage;
  @Nested(() => RunOptionsBody, { omittable: true, about: 'Options of the run.' }) run_options?: RunOptionsBody;
  @Json({ omittable: true, about: 'Free metadata.', example: {} }) msg_metadata?: JsonObject;
}

/** Body of POST /threads/{id}/messages/{msg_id}/regenerate. */
@Accepts()
export class Regenerate {
  @Nested(() => RunOptionsBody, { omittable: true, about: 'Options of the run.' }) run_options?: RunOptionsBody;
}

/** Body of POST /threads/{id}/stop. */
@Accepts()
export class StopRun {
  @Ref({ omittable: true, about: 'Id of the run. Default: the active run of the thread.' }) run_id?: string;
}

@Accepts()
class ToolAnswerBody {
  @Text({ min: 1, max: 200, about: 'The call.', example: 'call_1' }) call_id!: string;
  @Flag({ omittable: true, about: 'Whether the call is approved; for calls that wait for approval.' }) approve?: boolean;
  @Json({
    optional: true,
    isOfAnyType: true,
    max: 4 * MOST_OUTPUT,
    about: `Result of the call, any JSON of at most ${MOST_OUTPUT} characters; for client tools.`,
    example: { rows: 3 },
  })
  output?: JsonValue;
  @Text({ omittable: true, min: 1, max: 2_000, about: 'Error of the call; for client tools.' }) error?: string;
}

/** Body of POST /threads/{id}/runs/{run_id}/tool-results. */
@Accepts()
export class ToolResults {
  @NestedList(() => ToolAnswerBody, { min: 1, max: 50, about: 'Approvals and results.' }) results!: ToolAnswerBody[];
}

/** Body of POST /prompts/{id}/run. */
@Accepts()
export class RunPrompt {
  @Json({ omittable: true, about: 'Values of its wildcards by name.', example: { Tone: 'friendly' } }) values?: JsonObject;
  @Ref({ omittable: true, about: 'Thread of the question. Default, and if it does not exist: a new thread of yours.' }) thread_id?: string;
  @Nested(() => RunOptionsBody, { omittable: true, about: 'Options of the run.' }) run_options?: RunOptionsBody;
}

@Accepts()
class TurnBody {
  @Choice(['user', 'assistant'], { about: 'Role of the speaker.', example: 'user' }) role!: 'user' | 'assistant';
  @Text({ min: 1, max: 100_000, about: 'Text of the message.', example: 'How long is the notice period?' }) text!: string;
}

/** Body of POST /agents/{id}/run. */
@Accepts()
export class RunAgent {
  @Text({ omittable: true, min: 1, max: 100_000, about: 'The question, instead of `messages`.', example: 'How long is the notice period?' })
  input?: string;
  @NestedList(() => TurnBody, {
    omittable: true,
    min: 1,
    max: 50,
    about: `A conversation that ends with a question, of at most ${MOST_ASKED} characters together, instead of \`input\`.`,
  })
  messages?: TurnBody[];
  @IdList({ omittable: true, max: 20, about: 'Files for the question.' }) files?: string[];
  @Json({ omittable: true, max: MOST_SCHEMA_BYTES, about: 'JSON Schema of the answer, an object.' })
  schema?: JsonObject;
  @Whole({ omittable: true, min: 0, max: 60, about: 'Seconds to wait for the answer. Default: 30.', example: 30 }) wait?: number;
}

@Answer()
export class RunView extends View(Run) {}

@Answer()
class StepView {
  @Whole({ about: 'Number of the step.', example: 1 }) step!: number;
  @Whole({ about: 'Attempt of the step.', example: 1 }) attempt!: number;
  @Text({ about: 'Model of the step.', example: 'atrium/extract-1' }) model!: string;
  @Whole({ about: 'Number of input tokens.', example: 812 }) input_tokens!: number;
  @Whole({ about: 'Number of input tokens read from a cache.', example: 0 }) cached_tokens!: number;
  @Whole({ about: 'Number of output tokens.', example: 64 }) output_tokens!: number;
  @Whole({ about: 'Number of output tokens used for reasoning.', example: 0 }) reasoning_tokens!: number;
  @Flag({ about: 'Whether the service estimated the numbers because the provider returned none.' }) estimated!: boolean;
  @Choice(['done', 'stopped'], { about: 'Outcome of the step. `stopped`: it was interrupted.', example: 'done' }) state!: string;
  @Choice(['stop', 'length', 'filter'], {
    optional: true,
    about: 'Finish reason of the model. Null if it did not finish.',
    example: 'stop',
  })
  finish!: string | null;
  @Stamp({ about: 'When the step was completed.' }) created!: Date;
}

@Answer()
class ToolCallView {
  @Text({ about: 'Id of the call.', example: 'call_1' }) call_id!: string;
  @Whole({ about: 'Step that requested the call.', example: 1 }) step!: number;
  @Text({ about: 'Name of the tool.', example: 'search_knowledge' }) tool!: string;
  @Json({ about: 'Input of the call.', example: { query: 'notice period' } }) input!: JsonObject;
  @Json({
    optional: true,
    isOfAnyType: true,
    about: 'Result of the call, as far as it is shown. Null for everyone but the person who asked.',
    example: { passages: [1, 2] },
  })
  output!: JsonValue;
  @Choice(['pending', 'running', 'done', 'error', 'unknown', 'denied'], { about: 'Status of the call.', example: 'done' }) state!: string;
  @Text({ optional: true, about: 'Reason the call was not made.' }) error!: string | null;
  @Choice(['approval', 'client'], { optional: true, about: 'What the call waits for.' }) waits_for!: string | null;
  @Whole({ about: 'Attempt of the call.', example: 1 }) attempt!: number;
  @Stamp({ optional: true, about: 'When the call started.' }) started!: Date | null;
  @Stamp({ optional: true, about: 'When the call ended.' }) finished!: Date | null;
}

const REASON =
  'Error message of the model provider for a failed answer; only its code and type for members other than the person who asked. Null for members who neither manage models nor own the agent, and if the run rests on memories of another person.';

/** A run without a thread. */
@Answer()
export class AgentRunView extends View(Run) {
  @Text({ optional: true, max: 1_000, about: REASON }) override run_reason!: string | null;
}

@Answer()
export class RunDetailView extends View(Run) {
  @Text({ optional: true, max: 1_000, about: REASON }) override run_reason!: string | null;
  @NestedList(() => StepView, { about: 'Steps of the run.' }) steps!: StepView[];
  @NestedList(() => ToolCallView, { about: 'Tool calls of the run.' }) tool_calls!: ToolCallView[];
}

@Answer()
export class AskedView {
  @Nested(() => MessageView, { about: 'The question.' }) user_message!: MessageView;
  @Nested(() => MessageView, { optional: true, about: 'The answer so far. Null if none was requested.' })
  assistant_message!: MessageView | null;
  @Nested(() => RunView, { optional: true, about: 'Run of the answer. Null if none was requested.' }) run!: RunView | null;
}

@Answer()
export class StartedPromptView extends AskedView {
  @Nested(() => ThreadDetail, { about: 'Thread of the question.' }) thread!: ThreadDetail;
}

@Answer()
export class StoppedView {
  @Nested(() => RunView, { optional: true, about: 'The run. Null if none was active.' }) run!: RunView | null;
  @Nested(() => MessageView, { optional: true, about: 'The kept part of the answer.' }) assistant_message!: MessageView | null;
}

@Answer()
class CheckedCitationView {
  @Whole({ about: 'Number of the citation.', example: 1 }) n!: number;
  @Text({ about: 'Kind of the source.', example: 'file' }) source_kind!: string;
  @Choice(['valid', 'moved', 'changed', 'gone'], {
    about:
      '`moved`: the quote is in another version or place. `changed`: the source no longer contains it. `gone`: there is no source that you can read. Web pages (`source_kind` is `web`) are not read again: they are always `valid`, which says nothing about their current content.',
    example: 'valid',
  })
  state!: string;
  @Ref({ optional: true, about: 'Passage that contains the quote now.' }) passage_id!: string | null;
}

@Answer()
export class CheckedCitations {
  @NestedList(() => CheckedCitationView, { about: 'The current state of each citation.' }) citations!: CheckedCitationView[];
}

@Answer()
export class AgentAnswerView {
  @Text({ about: 'The answer.', example: 'The notice period is three months [1].' }) output!: string;
  @Json({ optional: true, isOfAnyType: true, about: 'The answer as data that follows the JSON Schema.' }) data!: JsonValue;
  @NestedList(() => MessageCitationView, { about: 'Citations of the answer.' }) citations!: MessageCitationView[];
  @Json({ optional: true, about: 'Tokens and credits used.' }) usage!: JsonObject | null;
  @Ref({ about: 'The run.' }) run_id!: string;
}
