import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { ModelRefusal } from '../../domain/model-refusal';
import { wordsOf } from '../../domain/provider-words';
import { brokeOff, completionOfChunks, eventsOfCompletion, readableCompletion } from './chat-completion';
import { ChatEvents } from './chat-events';
import { saysError } from './error-in';
import type { LearnedParameters } from './learned-parameters';
import { objectOf, parsedJson } from './loose-json';
import { eventsOfMessage, messageBrokeOff, MessagesEvents, readableMessage } from './messages-events';
import { eventsIn, readEvents, type WireEvents } from './read-events';
import { isTooLong, refusalOf } from './refusal-of';
import { boundsLength, refusedParameter, withoutRefused, type RefusedParameter } from './refused-parameter';

/** How a provider speaks. */
interface Wire {
  readonly protocol: 'chat' | 'messages';
  readonly provider: string;
  /** The provider's own name of the model. */
  readonly model: string;
  /** Where it is remembered what the model refuses; null: nowhere. */
  readonly place: string | null;
  readonly streams: boolean;
  readonly secrets: readonly string[];
  /** Changes a question before it is sent. */
  readonly prepare?: (body: JsonObject) => JsonObject;
}

interface Shapes {
  readonly events: (secrets: readonly string[]) => WireEvents;
  /** A whole answer as events, and as its library reads it. */
  readonly unfolded: (answer: JsonObject) => readonly JsonObject[];
  readonly readable: (answer: JsonObject) => JsonObject;
  readonly brokeOff: (answer: JsonObject) => boolean;
  /** The events of a stream as a whole answer, where that is possible. */
  readonly folded?: (events: readonly JsonValue[]) => JsonObject;
  /** What a question of the protocol must have. */
  readonly required: readonly string[];
}

const SHAPES: Readonly<Record<Wire['protocol'], Shapes>> = {
  chat: {
    events: (secrets) => new ChatEvents(secrets),
    unfolded: eventsOfCompletion,
    readable: readableCompletion,
    brokeOff,
    folded: completionOfChunks,
    required: [],
  },
  messages: {
    events: (secrets) => new MessagesEvents(secrets),
    unfolded: eventsOfMessage,
    readable: readableMessage,
    brokeOff: messageBrokeOff,
    required: ['max_tokens'],
  },
};

/** Parameters that one question may lose. */
const MOST_LOST = 6;

/** The `fetch` of a protocol library, which finds answers and questions as its protocol has them, of any provider. */
export function wireFetch(ask: typeof fetch, wire: Wire, learned: LearnedParameters): typeof fetch {
  const shapes = SHAPES[wire.protocol];
  return async (input, init) => {
    const answer = await askAgain((body) => ask(input, { ...init, body }), init?.body, { wire, shapes, learned });
    const head = { status: answer.status, headers: answer.headers };
    if (!wire.streams) return new Response(JSON.stringify(await wholeOf(await answer.text(), wire, shapes)), head);
    return new Response(answer.body && readEvents(answer.body, shapes.events(wire.secrets), shapes.unfolded), head);
  };
}

/** A parameter that is refused is left out, and the question is asked once more without it; that is remembered where it was accepted then. */
async function askAgain(
  ask: (body: string) => Promise<Response>,
  given: RequestInit['body'],
  { wire, shapes, learned }: { readonly wire: Wire; readonly shapes: Shapes; readonly learned: LearnedParameters },
): Promise<Response> {
  const read = typeof given === 'string' ? objectOf(parsedJson(given)) : null;
  if (!read) return ask(typeof given === 'string' ? given : '');
  const question = wire.prepare?.(read) ?? read;
  const known = learned.findRefused(wire.place);
  const lost: RefusedParameter[] = [];
  let sent = withoutRefused(question, known);
  for (;;) {
    try {
      const answer = await ask(JSON.stringify(sent));
      learned.learnRefused(wire.place, lost);
      return answer;
    } catch (error) {
      const refused = refusedIn(error, sent);
      if (!refused || shapes.required.includes(refused.name) || lost.length >= MOST_LOST) throw error;
      lost.push(refused);
      const next = withoutRefused(question, [...known, ...lost]);
      // Without its bound, an answer may be as long as the provider wants.
      if (boundsLength(sent) && !boundsLength(next)) throw error;
      sent = next;
    }
  }
}

function refusedIn(error: unknown, sent: JsonObject): RefusedParameter | null {
  const words = error instanceof ModelRefusal ? error.words : null;
  return words && !isTooLong(words) ? refusedParameter(words, sent) : null;
}

async function wholeOf(text: string, { provider, model, secrets }: Wire, shapes: Shapes): Promise<JsonValue> {
  const value = parsedJson(text.trim());
  const isStream = value === undefined && /^\s*(?:data|event|id)?:/.test(text);
  const folded = isStream ? shapes.folded?.(await eventsIn(text, shapes.events(secrets))) : undefined;
  const answer = folded ?? objectOf(Array.isArray(value) ? value[0] : value);
  if (!answer) return null;
  if (saysError(answer)) throw refusalOf({ provider, model, status: null, words: wordsOf(answer, secrets) });
  if (shapes.brokeOff(answer)) throw refusalOf({ provider, model, status: null, words: null });
  return shapes.readable(answer);
}
