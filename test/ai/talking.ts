import { newId } from '@atrium/platform/kernel';
import type { Client } from '@atrium/platform/testing';

export interface Thread {
  readonly thread_id: string;
  readonly thread_title: string | null;
  readonly thread_user: string;
  readonly thread_leaf: string | null;
  readonly thread_status: string;
  readonly thread_access: string;
  readonly thread_metadata: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly msg_id: string;
  readonly msg_parent: string | null;
  readonly msg_text: string;
  readonly msg_siblings: { readonly index: number; readonly ids: readonly string[] };
}

export const openThread = async (client: Client, body: object = {}): Promise<Thread> =>
  (await client.post('/threads', { thread_id: newId(), ...body }).expect(201)).body as Thread;

/** A message that nobody answers. */
export const say = async (client: Client, thread_id: string, msg_text: string, more: object = {}): Promise<Message> =>
  (
    (await client.post(`/threads/${thread_id}/messages`, { msg_text, run_options: { run: false }, ...more }).expect(201)).body as {
      user_message: Message;
    }
  ).user_message;

export const readThread = async (client: Client, thread_id: string): Promise<Thread> =>
  (await client.get(`/threads/${thread_id}`).expect(200)).body as Thread;

/** What the branch that is shown says, oldest first. */
export const branchOf = async (client: Client, thread_id: string, query = ''): Promise<string[]> =>
  ((await client.get(`/threads/${thread_id}/messages${query}`).expect(200)).body as { data: Message[] }).data.map(
    ({ msg_text }) => msg_text,
  );

export const threadIds = async (client: Client, query = ''): Promise<string[]> =>
  ((await client.get(`/threads${query}`).expect(200)).body as { data: Thread[] }).data.map(({ thread_id }) => thread_id);
