import type { ChatMessage } from './chat-message';

/** What some models of a provider demand or do not take; the others take all that the protocol has. */
export interface ChatHabits {
  /** Parameters that the model refuses. */
  readonly refuses?: readonly string[];
  /** Roles must alternate, as in the templates of many open models. */
  readonly alternates?: boolean;
  /** A member that each message with calls must have: of its first call where it has a dot. */
  readonly wantsBack?: 'extra_content.google.thought_signature' | 'reasoning_content';
}

interface Fault {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

const invalid = (message: string, param: string | null = null, code: string | null = null): Fault => ({
  message,
  type: 'invalid_request_error',
  param,
  code,
});

/** What the model refuses of a question, in the words of providers. */
export function habitFault(
  body: Readonly<Record<string, unknown>>,
  messages: readonly (ChatMessage & Readonly<Record<string, unknown>>)[],
  { refuses = [], alternates = false, wantsBack }: ChatHabits,
): Fault | null {
  const refused = refuses.find((name) => body[name] !== undefined);
  if (refused !== undefined)
    return invalid(`Unsupported parameter: '${refused}' is not supported with this model.`, refused, 'unsupported_parameter');
  const said = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  if (alternates && said.some(({ role }, at) => role === said[at - 1]?.role))
    return invalid('After the optional system message, conversation roles must alternate user/assistant/user/assistant/...');
  if (wantsBack && messages.some((message) => message.tool_calls !== undefined && !hasMember(message, wantsBack)))
    return invalid(`A function call is missing ${wantsBack}.`);
  return null;
}

function hasMember(message: Readonly<Record<string, unknown>>, path: string): boolean {
  const start = path.includes('.') ? (message.tool_calls as readonly unknown[])[0] : message;
  return path.split('.').reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], start) !== undefined;
}
