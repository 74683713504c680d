import type { JsonObject } from '@atrium/platform/kernel';

/** A message as `GET /threads/{id}/messages/{msg_id}` shows it to somebody who may read all its sources. */
export type MessageView = JsonObject;

/** What happened to a message of a person. */
export interface UserMessageEvent {
  readonly op: 'created' | 'queued' | 'updated' | 'removed';
  readonly message: MessageView;
}

interface OfAnswer {
  readonly msg_id: string;
  readonly run_id: string;
  readonly attempt: number;
}

/** Part numbers count from 0; an offset is the length of that part in UTF-16 units before the text. */
export type AssistantMessageEvent =
  | (OfAnswer & { readonly op: 'start' | 'snapshot'; readonly message: MessageView })
  | (OfAnswer & {
      readonly op: 'delta';
      readonly part: number;
      readonly kind: 'text' | 'reasoning';
      readonly offset: number;
      readonly text: string;
    })
  | (OfAnswer & { readonly op: 'part'; readonly part: number; readonly value: JsonObject })
  | (OfAnswer & { readonly op: 'citations'; readonly citations: readonly JsonObject[] })
  | (OfAnswer & { readonly op: 'step'; readonly step: number; readonly usage: JsonObject | null })
  | (OfAnswer & { readonly op: 'wait'; readonly calls: readonly JsonObject[]; readonly reason: 'approval' | 'client' })
  | (OfAnswer & { readonly op: 'reset'; readonly parts: readonly JsonObject[]; readonly reason: 'worker_lost' | 'provider_retry' })
  | (OfAnswer & { readonly op: 'done'; readonly message: MessageView; readonly thread: ThreadAfterAnswer })
  | {
      readonly op: 'updated';
      readonly msg_id: string;
      readonly run_id: string | null;
      readonly attempt: number | null;
      readonly message: MessageView;
    };

export interface ThreadAfterAnswer {
  readonly thread_title: string | null;
  readonly thread_leaf: string | null;
}

/** The state of a thread after a change; `closed: deleted` ends every stream of it. */
export interface LockEvent {
  readonly locked: boolean;
  readonly generating_for: string | null;
  readonly run_id: string | null;
  readonly msg_id: string | null;
  readonly queue: number;
  readonly since: string | null;
  readonly thread_status: string;
  readonly thread_share_mode: string;
  readonly closed?: 'deleted';
}

/** An event of a thread; `ThreadEvents` adds the thread's id. */
export type ThreadEvent =
  | { readonly kind: 'user_message'; readonly data: UserMessageEvent }
  | { readonly kind: 'assistant_message'; readonly data: AssistantMessageEvent }
  | { readonly kind: 'lock'; readonly data: LockEvent };

/** The kind of an entry that says that events before it are missing; it is not sent to clients. */
export const MISSED = 'missed';
