import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { pieceIn, saysText, usageIn } from './chat-message';
import { finishOf } from './finish-names';
import { GatheredCalls } from './gathered-calls';
import { listOf, objectOf, textOf } from './loose-json';

const choiceOf = (completion: JsonObject): JsonObject => objectOf(listOf(completion['choices'])[0]) ?? {};
const messageOf = (choice: JsonObject): JsonObject =>
  objectOf(choice['message']) ?? objectOf(choice['delta']) ?? { content: choice['text'] ?? null };

/** Whether the provider says that the answer broke off, or sent a piece of one and no end. */
export function brokeOff(completion: JsonObject): boolean {
  const choice = choiceOf(completion);
  const finish = finishOf(choice['finish_reason']);
  return finish === 'error' || (finish === null && isPiece(choice));
}

const isPiece = (choice: JsonObject): boolean => !objectOf(choice['message']) && objectOf(choice['delta']) !== null;

/** A whole answer of Chat Completions, as its library reads it. */
export function readableCompletion(completion: JsonObject): JsonObject {
  const choice = choiceOf(completion);
  const { content, reasoning, refusal, calls: said } = pieceIn(messageOf(choice));
  const gathered = new GatheredCalls();
  for (const call of said) gathered.addPiece(call);
  const calls = gathered.listCalls();
  const finish = finishOf(choice['finish_reason']) ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const usage = usageIn(completion['usage'], choice['usage']);
  const { id, model } = completion;
  return {
    id: textOf(id),
    model: textOf(model),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: refusal === '' || saysText(content) ? content : refusal,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call) => ({
                  id: call.id,
                  type: 'function',
                  function: { name: call.name, arguments: call.input },
                })),
              }),
        },
        finish_reason: refusal !== '' && finish === 'stop' ? 'content_filter' : finish,
      },
    ],
    ...(usage ? { usage } : {}),
  };
}

/** A whole answer as the one event of a stream: for a server that does not stream. */
export function eventsOfCompletion(completion: JsonObject): readonly JsonObject[] {
  const choice = choiceOf(completion);
  const message = messageOf(choice);
  const finish_reason: JsonValue = finishOf(choice['finish_reason']) ?? (isPiece(choice) ? null : 'stop');
  return completion['choices'] === undefined ? [completion] : [{ ...completion, choices: [{ index: 0, delta: message, finish_reason }] }];
}

/** The chunks of a stream as one whole answer: for a server that streams, whatever it was asked for. */
export function completionOfChunks(chunks: readonly JsonValue[]): JsonObject {
  const said = { content: '', reasoning: '' };
  let [finish_reason, usage]: [JsonValue, JsonValue] = [null, null];
  const calls: { readonly id: string | null; readonly name: string; input: string }[] = [];
  for (const chunk of chunks) {
    const event = objectOf(chunk) ?? {};
    if (event['error'] !== undefined && event['error'] !== null) return event;
    usage = event['usage'] ?? usage;
    const choice = choiceOf(event);
    finish_reason = choice['finish_reason'] ?? finish_reason;
    const piece = pieceIn(objectOf(choice['delta']) ?? {});
    said.content += wordsIn(piece.content);
    said.reasoning += piece.reasoning;
    for (const { id, name, input } of piece.calls) {
      const open = id === null ? calls.at(-1) : calls.find((call) => call.id === id);
      if (open) open.input += input ?? '';
      else calls.push({ id, name: name ?? '', input: input ?? '' });
    }
  }
  // Without an end it was cut.
  if (finish_reason === null) return { error: { message: '', type: 'unfinished' } };
  const tool_calls = calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } }));
  const message = { content: said.content, reasoning_content: said.reasoning, ...(tool_calls.length === 0 ? {} : { tool_calls }) };
  return { choices: [{ index: 0, message, finish_reason }], usage };
}

const wordsIn = (content: JsonValue): string =>
  textOf(content) ??
  listOf(content)
    .map((part) => textOf(objectOf(part)?.['text']) ?? '')
    .join('');
