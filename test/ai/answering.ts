import { newId } from '@atrium/platform/kernel';
import { eventually, type Client } from '@atrium/platform/testing';
import type { Follower, HeardEvent } from './following';

export interface Part {
  readonly kind: string;
  readonly text?: string;
  readonly tool?: string;
  readonly call_id?: string;
  readonly state?: string;
  readonly code?: string;
  readonly error?: string;
  readonly value?: unknown;
  readonly output?: unknown;
  readonly file_id?: string;
}

export interface Cited {
  readonly n: number;
  readonly source_kind: string;
  readonly source_id: string;
  readonly title: string;
  readonly page_from: number | null;
  readonly quote: string;
  readonly check: string;
  readonly redacted?: boolean;
}

export interface Said {
  readonly msg_id: string;
  readonly msg_parent: string | null;
  readonly msg_status: string;
  readonly msg_text: string;
  readonly msg_parts: readonly Part[];
  readonly msg_citations: readonly Cited[];
  readonly msg_agent?: string | null;
  readonly msg_prompt?: string | null;
  readonly msg_finish: string | null;
  readonly msg_error: { readonly code: string; readonly detail: string } | null;
  readonly msg_usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly credits: number;
    readonly estimated: boolean;
  } | null;
  readonly msg_siblings: { readonly index: number; readonly ids: readonly string[] };
}

export interface RunState {
  readonly run_id: string;
  readonly run_status: string;
  readonly run_attempt: number;
  readonly run_message: string;
  readonly tool_calls: readonly {
    readonly call_id: string;
    readonly tool: string;
    readonly state: string;
    readonly waits_for: string | null;
    readonly output: unknown;
  }[];
}

export interface Asked {
  readonly user_message: Said;
  readonly assistant_message: Said;
  readonly run: RunState;
}

/** Asks and does not wait for the answer. */
export const post = async (client: Client, thread_id: string, msg_text: string, more: object = {}): Promise<Asked> =>
  (await client.post(`/threads/${thread_id}/messages`, { msg_text, ...more }).expect(202)).body as Asked;

export const messageOf = async (client: Client, thread_id: string, msg_id: string): Promise<Said> =>
  (await client.get(`/threads/${thread_id}/messages/${msg_id}`).expect(200)).body as Said;

export const runOf = async (client: Client, thread_id: string, run_id: string): Promise<RunState> =>
  (await client.get(`/threads/${thread_id}/runs/${run_id}`).expect(200)).body as RunState;

const OPEN = ['queued', 'generating'];

/** The answer once it is there, or waits for somebody. */
export const answerOf = (client: Client, thread_id: string, msg_id: string): Promise<Said> =>
  eventually(
    () => messageOf(client, thread_id, msg_id),
    ({ msg_status }) => !OPEN.includes(msg_status),
    60_000,
  );

/** Asks, and has the answer. */
export async function ask(client: Client, thread_id: string, msg_text: string, more: object = {}): Promise<Said> {
  const { assistant_message } = await post(client, thread_id, msg_text, more);
  return answerOf(client, thread_id, assistant_message.msg_id);
}

/** What somebody who knows nothing but the events has of an answer. Throws where an event does not fit what came before it. */
export function foldedParts(heard: readonly HeardEvent[], msg_id: string): readonly Part[] {
  let parts: Part[] = [];
  for (const { event, data } of heard) {
    if (event !== 'assistant_message' || data.msg_id !== msg_id) continue;
    const { op } = data;
    const at = Number(data.part);
    if (op === 'start' || op === 'snapshot') parts = [...(data.message as Said).msg_parts];
    else if (op === 'reset') parts = [...(data.parts as Part[])];
    else if (op === 'part') parts[at] = data.value as Part;
    else if (op === 'delta') {
      const text = parts[at]?.text ?? '';
      if (at > parts.length || data.offset !== text.length)
        throw new Error(`A delta at ${String(data.offset)} of part ${at} does not fit ${text.length}.`);
      parts[at] = { kind: String(data.kind), text: text + String(data.text) };
    }
  }
  return parts;
}

/** What is heard of an answer until the thread is free again. */
export const heardOf = (follower: Follower, msg_id: string): Promise<readonly HeardEvent[]> =>
  follower.until((heard) => {
    const done = heard.findIndex(({ data }) => data.op === 'done' && data.msg_id === msg_id);
    return done >= 0 && heard.slice(done).some(({ event, data }) => event === 'lock' && data.locked === false);
  }, 60_000);

export const newThread = async (client: Client, body: object = {}): Promise<string> => {
  const thread_id = newId();
  await client.post('/threads', { thread_id, ...body }).expect(201);
  return thread_id;
};
