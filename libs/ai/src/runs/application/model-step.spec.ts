import type { LanguageModelV3, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import { ModelRefusal, NotAsked } from '@atrium/models';
import { Problem } from '@atrium/platform/kernel';
import { Answer } from '../domain/answer';
import { KnownAddresses } from '../domain/known-addresses';
import { AnswerStream } from './answer-stream';
import { modelStep } from './model-step';

/** A model that says a text in so many pieces, and how much of it was read. */
function speaking(piece: string, times: number) {
  const read = { pieces: 0, isCancelled: false };
  const model = {
    doStream: () =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV3StreamPart>(
          {
            pull: (controller) => {
              if (read.pieces++ < times) controller.enqueue({ type: 'text-delta', id: 't', delta: piece });
              else controller.close();
            },
            cancel: () => void (read.isCancelled = true),
          },
          { highWaterMark: 0 },
        ),
      }),
  } as unknown as LanguageModelV3;
  return { model, read };
}

describe('a step whose message has no room for more', () => {
  it('ends as one that is too long, with what was said, and the model is read no further', async () => {
    const { model, read } = speaking('x'.repeat(100_000), 100);
    const stream = new AnswerStream(new Answer(), () => Promise.resolve('1'), 0);
    const request = { options: { prompt: [] }, inputTokens: 7, count: () => 3, silent: false, known: new KnownAddresses([]) };
    const outcome = await modelStep(model, request, stream);
    expect(outcome).toMatchObject({ finish: 'length', calls: [], usage: { input_tokens: 7, output_tokens: 3 + 3, estimated: true } });
    expect([outcome.text.length, read.isCancelled]).toEqual([2_000_000, true]);
    expect(read.pieces).toBeLessThan(30);
  });
});

describe('a step that breaks off before the first word', () => {
  it.each<[string, Error, boolean]>([
    ['is stopped while the question is under way', new DOMException('stopped', 'AbortError'), true],
    ['is stopped in the pause after a refusal', new NotAsked(new DOMException('stopped', 'AbortError')), false],
    ['is refused', new ModelRefusal('unprocessable_content', 'The model provider lab rejected the request (HTTP 400).'), false],
    ['reaches no provider', new Problem('upstream_failed', 'The model provider lab could not be reached.'), false],
  ])('and %s', async (_, cause, wasAsked) => {
    const model = { doStream: () => Promise.reject(cause) } as unknown as LanguageModelV3;
    const stream = new AnswerStream(new Answer(), () => Promise.resolve('1'), 0);
    const step = modelStep(
      model,
      { options: { prompt: [] }, inputTokens: 7, count: () => 0, silent: false, known: new KnownAddresses([]) },
      stream,
    );
    await expect(step).rejects.toMatchObject({ cause, hasBegun: false, wasAsked });
  });
});

const USAGE = { inputTokens: { total: 7 }, outputTokens: { total: 3 } } as LanguageModelV3Usage;

describe('a step that holds what it brings', () => {
  const step = async (holds: boolean) => {
    const stream = new AnswerStream(new Answer(), () => Promise.resolve('1'), 0);
    const model = {
      doStream: () =>
        Promise.resolve({
          stream: new ReadableStream<LanguageModelV3StreamPart>({
            start: (controller) => {
              controller.enqueue({ type: 'reasoning-delta', id: 'r', delta: 'One and two.' });
              controller.enqueue({ type: 'text-delta', id: 't', delta: 'It is ' });
              controller.enqueue({ type: 'text-delta', id: 't', delta: 'three.' });
              controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE });
              controller.close();
            },
          }),
        }),
    } as unknown as LanguageModelV3;
    const request = { options: { prompt: [] }, inputTokens: 7, count: () => 3, silent: false, holds, known: new KnownAddresses([]) };
    const { text, held } = await modelStep(model, request, stream);
    await stream.settle();
    return { text, held, shown: stream.answer.parts };
  };

  it('shows none of it, and hands it out when it is over', async () => {
    const said = { text: 'It is three.', reasoning: 'One and two.' };
    expect(await step(true)).toEqual({ text: 'It is three.', held: said, shown: [] });
    expect(await step(false)).toEqual({
      text: 'It is three.',
      held: undefined,
      shown: [
        { kind: 'reasoning', text: said.reasoning },
        { kind: 'text', text: said.text },
      ],
    });
  });
});
