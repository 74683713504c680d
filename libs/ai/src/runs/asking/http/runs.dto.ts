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
  @Flag({ omittable: true, about: 'Whether an agent answers; yes when absent.' }) run?: boolean;
  @Ref({ omittable: true, about: 'Agent that answers; the one of the thread, of its space or of the workspace when absent.' })
  agent_id?: string;
  @Text({ omittable: true, max: 200, about: 'Model, where the agent lets messages choose it.', example: 'atrium/extract-1' })
  model_id?: string;
  @Json({ omittable: true, about: 'Parameters of the model, where the agent lets messages choose them.', example: { temperature: 0.2 } })
  params?: JsonObject;
  @IdList({ omittable: true, max: 50, about: 'Knowledge bases to search besides, where the agent lets messages choose them.' })
  knowledge?: string[];
  @NestedList(() => AgentToolBody, {
    omittable: true,
    max: MOST_TOOLS,
    about: 'Tools instead of those of the agent, where the agent lets messages choose them.',
    example: [{ tool: 'search_knowledge' }],
  })
  tools?: AgentToolBody[];
  @Json({ omittable: true, max: MOST_SCHEMA_BYTES, about: 'JSON Schema of the answer, an object.' })
  schema?: JsonObject;
  @Whole({ omittable: true, min: 1, max: MOST_STEPS, about: 'Calls of the model at most; 8 when absent.', example: 8 }) max_steps?: number;
  @Choice(['reject', 'interrupt'], {
    omittable: true,
    about: 'What happens while another answer is written: `reject` answers 409, `interrupt` stops that one.',
    example: 'reject',
  })
  on_busy?: 'reject' | 'interrupt';
  @Whole({ omittable: true, min: 0, max: 60, about: 'Seconds to wait for the answer; none when absent.', example: 30 }) wait?: number;
}

@Accepts()
class PostedPartBody {
  @Choice(['text', 'file'], { about: 'A text, or a file.', example: 'text' }) kind!: 'text' | 'file';
  @Text({ omittable: true, max: MOST_TEXT, about: 'The text.', example: 'How do I change the toner?' }) text?: string;
  @Ref({ omittable: true, about: 'The file.' }) file_id?: string;
}

@Accepts()
class PromptOfMessage {
  @Ref({ about: 'The prompt.' }) prompt_id!: string;
  @Json({ omittable: true, about: 'Values of its wildcards, by their names.', example: { Tone: 'friendly' } }) values?: JsonObject;
}

/** Body of POST /threads/{id}/messages. */
@Accepts()
export class PostMessage {
  @Text({
    omittable: true,
    min: 1,
    max: MOST_TEXT,
    about: 'What is asked; a message needs a text or a file.',
    example: 'How long is the notice period?',
  })
  msg_text?: string;
  @NestedList(() => PostedPartBody, { omittable: true, min: 1, max: MOST_PARTS, about: 'Instead of `msg_text`: texts and files in order.' })
  msg_parts?: PostedPartBody[];
  @IdList({ omittable: true, max: 20, about: 'Attachments: files that you may read.' }) msg_files?: string[];
  @Ref({
    optional: true,
    about: 'Message that it follows; the end of the branch that is shown when absent. Another one begins a branch; null begins again.',
  })
  msg_parent?: string | null;
  @Nested(() => PromptOfMessage, { omittable: true, about: 'A prompt instead of a text.' }) prompt?: PromptOfMessage;
  @Nested(() => RunOptionsBody, { omittable: true, about: 'Who answers and how.' }) run_options?: RunOptionsBody;
  @Json({ omittable: true, about: 'Free data.', example: {} }) msg_metadata?: JsonObject;
}

/** Body of POST /threads/{id}/messages/{msg_id}/regenerate. */
@Accepts()
export class Regenerate {
  @Nested(() => RunOptionsBody, { omittable: true, about: 'Who answers and how.' }) run_options?: RunOptionsBody;
}

/** Body of POST /threads/{id}/stop. */
@Accepts()
export class StopRun {
  @Ref({ omittable: true, about: 'The run; what answers in the thread when absent.' }) run_id?: string;
}

@Accepts()
class ToolAnswerBody {
  @Text({ min: 1, max: 200, about: 'The call.', example: 'call_1' }) call_id!: string;
  @Flag({ omittable: true, about: 'Whether the call may be made; for calls that wait for approval.' }) approve?: boolean;
  @Json({
    optional: true,
    isOfAnyType: true,
    max: 4 * MOST_OUTPUT,
    about: `What the call brought, any JSON of at most ${MOST_OUTPUT} characters; for tools of the client.`,
    example: { rows: 3 },
  })
  output?: JsonValue;
  @Text({ omittable: true, min: 1, max: 2_000, about: 'Why the call failed; for tools of the client.' }) error?: string;
}

/** Body of POST /threads/{id}/runs/{run_id}/tool-results. */
@Accepts()
export class ToolResults {
  @NestedList(() => ToolAnswerBody, { min: 1, max: 50, about: 'Consents and results.' }) results!: ToolAnswerBody[];
}

/** Body of POST /prompts/{id}/run. */
@Accepts()
export class RunPrompt {
  @Json({ omittable: true, about: 'Values of its wildcards, by their names.', example: { Tone: 'friendly' } }) values?: JsonObject;
  @Ref({ omittable: true, about: 'Thread in which it is asked; a new one of yours when absent or unknown.' }) thread_id?: string;
  @Nested(() => RunOptionsBody, { omittable: true, about: 'Who answers and how.' }) run_options?: RunOptionsBody;
}

@Accepts()
class TurnBody {
  @Choice(['user', 'assistant'], { about: 'Who speaks.', example: 'user' }) role!: 'user' | 'assistant';
  @Text({ min: 1, max: 100_000, about: 'What is said.', example: 'How long is the notice period?' }) text!: string;
}

/** Body of POST /agents/{id}/run. */
@Accepts()
export class RunAgent {
  @Text({ omittable: true, min: 1, max: 100_000, about: 'The question; instead of messages.', example: 'How long is the notice period?' })
  input?: string;
  @NestedList(() => TurnBody, {
    omittable: true,
    min: 1,
    max: 50,
    about: `A conversation that ends with a question, of at most ${MOST_ASKED} characters together; instead of input.`,
  })
  messages?: TurnBody[];
  @IdList({ omittable: true, max: 20, about: 'Files that the question is about.' }) files?: string[];
  @Json({ omittable: true, max: MOST_SCHEMA_BYTES, about: 'JSON Schema of the answer, an object.' })
  schema?: JsonObject;
  @Whole({ omittable: true, min: 0, max: 60, about: 'Seconds to wait for the answer; 30 when absent.', example: 30 }) wait?: number;
}

@Answer()
export class RunView extends View(Run) {}

@Answer()
class StepView {
  @Whole({ about: 'Number of the step.', example: 1 }) step!: number;
  @Whole({ about: 'Attempt that made it.', example: 1 }) attempt!: number;
  @Text({ about: 'Model.', example: 'atrium/extract-1' }) model!: string;
  @Whole({ about: 'Tokens read.', example: 812 }) input_tokens!: number;
  @Whole({ about: 'Of these, from a cache.', example: 0 }) cached_tokens!: number;
  @Whole({ about: 'Tokens written.', example: 64 }) output_tokens!: number;
  @Whole({ about: 'Of these, reasoning.', example: 0 }) reasoning_tokens!: number;
  @Flag({ about: 'Whether they were counted here because the provider gave no figure.' }) estimated!: boolean;
  @Choice(['done', 'stopped'], { about: 'What became of it; `stopped`: it did not come to its end.', example: 'done' }) state!: string;
  @Choice(['stop', 'length', 'filter'], { optional: true, about: 'How the model ended it; null: it did not.', example: 'stop' })
  finish!: string | null;
  @Stamp({ about: 'When it was done.' }) created!: Date;
}

@Answer()
class ToolCallView {
  @Text({ about: 'Id of the call.', example: 'call_1' }) call_id!: string;
  @Whole({ about: 'Step that asked for it.', example: 1 }) step!: number;
  @Text({ about: 'Tool.', example: 'search_knowledge' }) tool!: string;
  @Json({ about: 'Input.', example: { query: 'notice period' } }) input!: JsonObject;
  @Json({
    optional: true,
    isOfAnyType: true,
    about: 'What it brought, as far as it is shown; null for everybody but the asker.',
    example: { passages: [1, 2] },
  })
  output!: JsonValue;
  @Choice(['pending', 'running', 'done', 'error', 'unknown', 'denied'], { about: 'How far it is.', example: 'done' }) state!: string;
  @Text({ optional: true, about: 'Why it did not run.' }) error!: string | null;
  @Choice(['approval', 'client'], { optional: true, about: 'What it waits for.' }) waits_for!: string | null;
  @Whole({ about: 'Attempt that made it.', example: 1 }) attempt!: number;
  @Stamp({ optional: true, about: 'When it began.' }) started!: Date | null;
  @Stamp({ optional: true, about: 'When it ended.' }) finished!: Date | null;
}

const REASON =
  'What the model provider itself said of an answer that failed; its code and type alone for others than the asker. Null for members who neither manage models nor own the agent, and where the run rests on memories of somebody else.';

/** A run without a thread. */
@Answer()
export class AgentRunView extends View(Run) {
  @Text({ optional: true, max: 1_000, about: REASON }) override run_reason!: string | null;
}

@Answer()
export class RunDetailView extends View(Run) {
  @Text({ optional: true, max: 1_000, about: REASON }) override run_reason!: string | null;
  @NestedList(() => StepView, { about: 'Its steps.' }) steps!: StepView[];
  @NestedList(() => ToolCallView, { about: 'Its calls of tools.' }) tool_calls!: ToolCallView[];
}

@Answer()
export class AskedView {
  @Nested(() => MessageView, { about: 'The question.' }) user_message!: MessageView;
  @Nested(() => MessageView, { optional: true, about: 'The answer, as far as it is; null where none was asked for.' })
  assistant_message!: MessageView | null;
  @Nested(() => RunView, { optional: true, about: 'The run that answers; null where none was asked for.' }) run!: RunView | null;
}

@Answer()
export class StartedPromptView extends AskedView {
  @Nested(() => ThreadDetail, { about: 'The thread in which it is asked.' }) thread!: ThreadDetail;
}

@Answer()
export class StoppedView {
  @Nested(() => RunView, { optional: true, about: 'The run; null where nothing was running.' }) run!: RunView | null;
  @Nested(() => MessageView, { optional: true, about: 'What is kept of the answer.' }) assistant_message!: MessageView | null;
}

@Answer()
class CheckedCitationView {
  @Whole({ about: 'Number of the citation.', example: 1 }) n!: number;
  @Text({ about: 'What the source is.', example: 'file' }) source_kind!: string;
  @Choice(['valid', 'moved', 'changed', 'gone'], {
    about:
      '`moved`: the quote is in another version or place; `changed`: the source no longer says it; `gone`: there is no source that you can read. A page of the web (`source_kind` is `web`) is not read again: it is always `valid`, which says nothing about the page as it is now.',
    example: 'valid',
  })
  state!: string;
  @Ref({ optional: true, about: 'Passage that has the quote now.' }) passage_id!: string | null;
}

@Answer()
export class CheckedCitations {
  @NestedList(() => CheckedCitationView, { about: 'The current state of each citation.' }) citations!: CheckedCitationView[];
}

@Answer()
export class AgentAnswerView {
  @Text({ about: 'The answer.', example: 'The notice period is three months [1].' }) output!: string;
  @Json({ optional: true, isOfAnyType: true, about: 'The answer by the JSON Schema.' }) data!: JsonValue;
  @NestedList(() => MessageCitationView, { about: 'Its citations.' }) citations!: MessageCitationView[];
  @Json({ optional: true, about: 'Tokens and credits used.' }) usage!: JsonObject | null;
  @Ref({ about: 'The run.' }) run_id!: string;
}
