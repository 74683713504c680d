import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { objectOf, textOf } from './loose-json';

/** Members that an answer of any protocol has. */
const OF_ANSWERS = ['choices', 'content', 'usage'] as const;

/** Whether what a provider sent is an error: as a member of its own, or in the place of an answer, whatever the status. */
export function saysError(sent: JsonObject): boolean {
  const isAnswer = OF_ANSWERS.some((name) => sent[name] !== undefined && sent[name] !== null);
  if (holds(sent['error'], isAnswer) || failed(sent['base_resp'])) return true;
  if (isAnswer) return false;
  const kind = textOf(sent['object'] ?? sent['type']) ?? '';
  return /^error$/i.test(kind) || (sent['detail'] ?? null) !== null || hasWords(sent);
}

/** Whether an event has words and nothing that says what they are: a note, or a reason where nothing comes after it. */
export const isNote = (sent: JsonObject): boolean => {
  const { message, msg, ...others } = sent;
  return hasWords({ message: message ?? null, msg: msg ?? null }) && !saysError(others);
};

const hasWords = (sent: JsonObject): boolean => ['message', 'msg'].some((name) => typeof sent[name] === 'string');

/** Beside an answer, an empty error is none. */
function holds(error: JsonValue | undefined, isAnswer: boolean): boolean {
  if (error === undefined || error === null || error === '' || error === false) return false;
  const object = objectOf(error);
  return !(isAnswer && object && Object.keys(object).length === 0);
}

/** How MiniMax says it. */
const failed = (value: JsonValue | undefined): boolean => (objectOf(value)?.['status_code'] ?? 0) !== 0;
