import type { Message, MessageCitation } from './message';
import type { MessagePart, NoticePart } from './message-parts';

/** Tools whose calls say what somebody's memories say. */
export const MEMORY_TOOLS: ReadonlySet<string> = new Set(['remember', 'forget']);

/** What of a message says whose it is and what it rests on. */
export type WithheldFacts = Pick<Message, 'msg_user' | 'msg_parts' | 'msg_citations' | 'msg_recalls'>;

/** Whether an answer may say what memories say: its run was given some, it cites one, or a tool wrote one down or forgot one for it. */
export const restsOnMemories = ({ msg_parts, msg_citations, msg_recalls }: Omit<WithheldFacts, 'msg_user'>): boolean =>
  msg_recalls ||
  msg_citations.some(({ source_kind }) => source_kind === 'memory') ||
  msg_parts.some((part) => part.kind === 'tool' && MEMORY_TOOLS.has(part.tool));

/** Whether an answer is kept from a reader: it rests on the memories of somebody else. It was given before the thread was shared. */
export const isWithheldFrom = (user_id: string, message: WithheldFacts): boolean =>
  message.msg_user !== user_id && restsOnMemories(message);

/** What other readers are shown in the place of such an answer. */
export const WITHHELD: NoticePart = {
  kind: 'notice',
  code: 'rests_on_memories',
  detail: 'This answer uses memories of the person who asked and is visible only to them.',
};

/** The citations of a message for a reader: of an answer that is kept from them, not even that there are some. */
export const citationsFor = (user_id: string, message: WithheldFacts): readonly MessageCitation[] =>
  isWithheldFrom(user_id, message) ? [] : message.msg_citations;

/** The parts of a message as a reader sees them: of tools that looked with the rights of somebody else, not what they found. */
export function partsFor(user_id: string, message: WithheldFacts): readonly MessagePart[] {
  const { msg_parts, msg_user } = message;
  if (msg_user === user_id) return msg_parts;
  if (restsOnMemories(message)) return [WITHHELD];
  return msg_parts.map((part) => (part.kind === 'tool' ? { ...part, output: null } : part));
}
