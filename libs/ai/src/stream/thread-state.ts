import type { JsonObject } from '@atrium/platform/kernel';

/** Why a stream ended. */
export type StreamEnd = 'deleted' | 'access_revoked' | 'shutdown' | 'expired';

/** Whether a thread is being answered, as a `lock` event shows it. */
export interface ThreadState {
  readonly thread_id: string;
  readonly locked: boolean;
  readonly generating_for: string | null;
  readonly run_id: string | null;
  readonly msg_id: string | null;
  readonly queue: number;
  readonly since: string | null;
  readonly thread_status: string;
  readonly thread_share_mode: string;
}

/** The same as its rows have it, with what a run that is answering has stored of its stream. */
export interface StoredState {
  readonly state: ThreadState;
  readonly checkpoint: string | null;
  readonly attempt: number;
  readonly run_created: Date | null;
  readonly thread: { readonly thread_title: string | null; readonly thread_leaf: string | null };
}

export const PRESENCE_STATES = ['viewing', 'typing', 'left'] as const;

/** An event as a client receives it. */
export interface ClientEvent {
  readonly event: string;
  readonly data: JsonObject;
  readonly id?: string | undefined;
}
