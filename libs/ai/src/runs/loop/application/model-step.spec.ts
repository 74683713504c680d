import type { LanguageModelV3, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import { ModelRefusal, NotAsked } from '@atrium/models';
import { Problem } from '@atrium/platform/kernel';
import { Answer } from '../../records/domain/answer';
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

/** A model that says these pieces and ends. */
const saying = (pieces: readonly string[], ends = true): LanguageModelV3 =>
  ({
    doStream: () =>
      Promise.resolve({
        stream: new ReadableStream({
          start: (controller) => {
            for (const delta of pieces) controller.enqueue({ type: 'text-delta', id: 't', delta });
            if (ends) controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE });
            controller.close();
          },
        }),
      }),
  }) as unknown as LanguageModelV3;

describe('a step whose text turns out to begin with thoughts', () => {
  const step = async (how: { readonly silent?: boolean; readonly holds?: boolean; readonly ends?: boolean }) => {
    const ops: string[] = [];
    const stream = new AnswerStream(new Answer(), (told) => Promise.resolve(`${ops.push(...told.map(({ event }) => event.op))}`), 0);
    const request = { options: { prompt: [] }, inputTokens: 7, count: () => 3, silent: false, ...how, known: new KnownAddresses([]) };
    const model = saying(['One and two.\n</think>', '\nThree.'], how.ends);
    const { text, held } = await modelStep(model, request, stream).catch(() => ({ text: null, held: undefined }));
    await stream.sendRemaining();
    return { text, held, shown: stream.answer.parts, ops };
  };
  const both = [
    { kind: 'reasoning', text: 'One and two.\n' },
    { kind: 'text', text: 'Three.' },
  ];

  it('takes back what was shown of it, and says both again', async () => {
    expect(await step({})).toMatchObject({ text: 'Three.', shown: both, ops: expect.arrayContaining(['reset']) as string[] });
  });

  it('does so also where the answer breaks off', async () => {
    expect(await step({ ends: false })).toMatchObject({ text: null, shown: both });
  });

  it('holds both, or shows the thoughts alone, where its text is not shown as it grows', async () => {
    expect(await step({ holds: true })).toMatchObject({ text: 'Three.', held: { reasoning: 'One and two.\n', text: 'Three.' }, shown: [] });
    expect(await step({ silent: true })).toMatchObject({ text: 'Three.', shown: both.slice(0, 1) });
  });
});

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
    await stream.sendRemaining();
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
