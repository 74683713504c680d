import { invalidField, isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

export const TOOL_STATES = ['pending', 'running', 'done', 'error', 'unknown', 'denied'] as const;
export type ToolState = (typeof TOOL_STATES)[number];

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}
export interface ReasoningPart {
  readonly kind: 'reasoning';
  readonly text: string;
}
export interface FilePart {
  readonly kind: 'file';
  readonly file_id: string;
}
export interface ToolPart {
  readonly kind: 'tool';
  readonly call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly output: JsonValue;
  readonly state: ToolState;
  readonly error?: string;
  readonly ms?: number;
}
export interface DataPart {
  readonly kind: 'data';
  readonly value: JsonValue;
}
export interface NoticePart {
  readonly kind: 'notice';
  readonly code: string;
  readonly detail: string;
}

/** What a message is made of, in the order in which it is shown. */
export type MessagePart = TextPart | ReasoningPart | FilePart | ToolPart | DataPart | NoticePart;

export const isPart = (value: unknown): value is MessagePart => isObject(value) && typeof value.kind === 'string';

export const MOST_PARTS = 200;
export const MOST_PART_BYTES = 2 * 1024 * 1024;
export const MOST_TEXT = 100_000;

/** The plain text of a message: its text parts as paragraphs. */
export const textOf = (parts: readonly MessagePart[]): string =>
  parts
    .filter((part): part is TextPart => part.kind === 'text')
    .map(({ text }) => text)
    .join('\n\n');

/** Files that are parts of a message. */
export const filesIn = (parts: readonly MessagePart[]): string[] => parts.flatMap((part) => (part.kind === 'file' ? [part.file_id] : []));

/** Refuses what no message may hold, no matter who writes it. */
export function assertSize(parts: readonly MessagePart[], field = 'msg_parts'): void {
  if (parts.length > MOST_PARTS) throw invalidField(field, `must have at most ${MOST_PARTS} parts`, 'too_many');
  if (Buffer.byteLength(JSON.stringify(parts)) > MOST_PART_BYTES) throw invalidField(field, 'must have at most 2 MB as JSON', 'too_long');
}
