import { createParser } from 'eventsource-parser';
import { ThreadEvents, type RunFence, type ThreadEvent } from '@atrium/ai';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';

export interface HeardEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Record<string, unknown> & { op?: string; msg_id?: string };
}

/** A client that follows a thread. */
export class Follower {
  readonly heard: HeardEvent[] = [];
  hasEnded = false;
  private readonly stop = new AbortController();

  private constructor(readonly response: Response) {}

  /** Connects; the stream is read in the background until it ends or is left. */
  static async connect(
    api: { readonly url: string },
    client: Client,
    thread_id: string,
    headers: Record<string, string> = {},
    query = '',
  ): Promise<Follower> {
    return Follower.of(`${api.url}/api/v1/threads/${thread_id}/events${query}`, { headers: { ...client.headers, ...headers } });
  }

  /** Asks an agent without a thread, as a stream. */
  static asking(api: { readonly url: string }, client: Client, agent_id: string, body: object, headers = {}): Promise<Follower> {
    return Follower.of(`${api.url}/api/v1/agents/${agent_id}/run`, {
      method: 'POST',
      headers: { ...client.headers, 'Content-Type': 'application/json', Accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
    });
  }

  private static async of(url: string, request: RequestInit): Promise<Follower> {
    const stop = new AbortController();
    const response = await fetch(url, { ...request, signal: stop.signal });
    const follower = new Follower(response);
    stop.signal.addEventListener('abort', () => (follower.hasEnded = true));
    follower.stop.signal.addEventListener('abort', () => stop.abort());
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) void follower.read();
    return follower;
  }

  leave(): void {
    this.stop.abort();
  }

  kinds(): string[] {
    return this.heard.map(({ event, data }) => (data.op ? `${event} ${data.op}` : event));
  }

  /** Resolves when what was heard satisfies. */
  async until(satisfies: (heard: readonly HeardEvent[]) => boolean, milliseconds = 60_000): Promise<readonly HeardEvent[]> {
    return eventually(() => Promise.resolve(this.heard), satisfies, milliseconds);
  }

  async untilEnd(milliseconds = 20_000): Promise<HeardEvent | undefined> {
    await eventually(() => Promise.resolve(this.hasEnded), Boolean, milliseconds);
    return this.heard.at(-1);
  }

  /** The text of an answer as this client has folded it; throws where a delta does not fit. */
  text(msg_id: string): string {
    let text = '';
    for (const { data } of this.heard.filter((one) => one.event === 'assistant_message' && one.data.msg_id === msg_id)) {
      const message = data.message as { msg_parts?: { text?: string }[] } | undefined;
      if (data.op === 'start' || data.op === 'snapshot' || data.op === 'done') text = message?.msg_parts?.[0]?.text ?? '';
      if (data.op === 'reset') text = (data.parts as { text?: string }[])[0]?.text ?? '';
      if (data.op !== 'delta') continue;
      if (data.offset !== text.length) throw new Error(`A delta at ${String(data.offset)} behind ${text.length} characters.`);
      text += String(data.text);
    }
    return text;
  }

  private async read(): Promise<void> {
    const parser = createParser({
      onEvent: ({ event, id, data }) => this.heard.push({ event: event ?? '', id, data: JSON.parse(data) as HeardEvent['data'] }),
    });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body as unknown as AsyncIterable<Uint8Array>)
        parser.feed(decoder.decode(chunk, { stream: true }));
    } catch {
      // Left, or cut.
    }
    this.hasEnded = true;
  }
}

interface ThreadFacts {
  readonly user?: string | null;
  readonly space?: string;
  readonly mode?: 'private' | 'space' | 'collab';
}

/** A thread as its rows. */
export async function plainThread(api: RunningApi, { tenant_id, owner }: TestWorkspace, facts: ThreadFacts = {}): Promise<string> {
  const thread_id = newId();
  await api.sql('INSERT INTO thread (tenant_id, thread_id, thread_user, thread_space, thread_share_mode) VALUES ($1, $2, $3, $4, $5)', [
    tenant_id,
    thread_id,
    facts.user === undefined ? owner.user_id : facts.user,
    facts.space ?? null,
    facts.mode ?? 'private',
  ]);
  return thread_id;
}

/** A run that answers in a thread, played as a worker writes it: rows, checkpoints and events. */
export class PlayedRun {
  text = '';
  attempt = 1;
  readonly run_id = newId();
  readonly msg_id = newId();

  private constructor(
    private readonly api: RunningApi,
    private readonly tenant_id: string,
    private readonly thread_id: string,
    private readonly user_id: string,
  ) {}

  static async begin(api: RunningApi, { tenant_id, owner }: TestWorkspace, thread_id: string, user_id = owner.user_id): Promise<PlayedRun> {
    const run = new PlayedRun(api, tenant_id, thread_id, user_id);
    const agent_id = newId();
    await api.sql('INSERT INTO agent (tenant_id, agent_id, agent_name) VALUES ($1, $2, $3)', [tenant_id, agent_id, agent_id]);
    await api.sql(
      `INSERT INTO message (tenant_id, msg_id, msg_thread, msg_role, msg_status, msg_user, msg_run) VALUES ($1, $2, $3, 'assistant', 'generating', $4, $5)`,
      [tenant_id, run.msg_id, thread_id, user_id, run.run_id],
    );
    await api.sql(
      `INSERT INTO run (tenant_id, run_id, run_thread, run_message, run_user, run_agent, run_agent_version, run_model, run_status, run_attempt, run_started)
       VALUES ($1, $2, $3, $4, $5, $6, 1, 'atrium/extract-1', 'running', 1, now())`,
      [tenant_id, run.run_id, thread_id, run.msg_id, user_id, agent_id],
    );
    await api.sql('UPDATE thread SET thread_run = $3, thread_generating_for = $4 WHERE tenant_id = $1 AND thread_id = $2', [
      tenant_id,
      thread_id,
      run.run_id,
      user_id,
    ]);
    await run.lock(true);
    await run.tell({ op: 'start', message: run.message('generating') });
    return run;
  }

  async say(text: string): Promise<string> {
    const id = await this.tell({ op: 'delta', part: 0, kind: 'text', offset: this.text.length, text });
    this.text += text;
    return id;
  }

  async checkpoint(entry: string): Promise<void> {
    await this.api.sql('UPDATE message SET msg_parts = $3 WHERE tenant_id = $1 AND msg_id = $2', [
      this.tenant_id,
      this.msg_id,
      JSON.stringify(this.parts()),
    ]);
    await this.api.sql('UPDATE run SET run_checkpoint = $3 WHERE tenant_id = $1 AND run_id = $2', [this.tenant_id, this.run_id, entry]);
  }

  async finish(tells = true): Promise<void> {
    await this.api.sql(
      `UPDATE message SET msg_parts = $3, msg_status = 'complete', msg_finish = 'stop' WHERE tenant_id = $1 AND msg_id = $2`,
      [this.tenant_id, this.msg_id, JSON.stringify(this.parts())],
    );
    await this.api.sql(`UPDATE run SET run_status = 'completed', run_finished = now() WHERE tenant_id = $1 AND run_id = $2`, [
      this.tenant_id,
      this.run_id,
    ]);
    await this.api.sql('UPDATE thread SET thread_run = NULL, thread_generating_for = NULL WHERE tenant_id = $1 AND thread_id = $2', [
      this.tenant_id,
      this.thread_id,
    ]);
    if (!tells) return;
    await this.tell({ op: 'done', message: this.message('complete'), thread: { thread_title: null, thread_leaf: this.msg_id } });
    await this.lock(false);
  }

  tell(data: object): Promise<string> {
    const event = {
      kind: 'assistant_message',
      data: { msg_id: this.msg_id, run_id: this.run_id, attempt: this.attempt, ...data },
    } as ThreadEvent;
    return this.emit(event, { run_id: this.run_id, attempt: this.attempt });
  }

  /** The event of a thread that is deleted. */
  async closed(): Promise<void> {
    await this.emit({
      kind: 'lock',
      data: { locked: false, ...NOBODY, queue: 0, since: null, thread_status: 'open', thread_share_mode: 'private', closed: 'deleted' },
    });
  }

  private async emit(event: ThreadEvent, fence?: RunFence): Promise<string> {
    const events = this.api.app.get(ThreadEvents, { strict: false });
    const id = await inWorkspace(this.tenant_id, () => events.emitEvent(this.thread_id, event, fence));
    if (id === null) throw new Error('The event was not stored.');
    return id;
  }

  private async lock(locked: boolean): Promise<void> {
    const answering = locked ? { generating_for: this.user_id, run_id: this.run_id, msg_id: this.msg_id } : NOBODY;
    await this.emit({
      kind: 'lock',
      data: { locked, ...answering, queue: 0, since: null, thread_status: 'open', thread_share_mode: 'private' },
    });
  }

  private parts(): object[] {
    return this.text === '' ? [] : [{ kind: 'text', text: this.text }];
  }

  private message(msg_status: string): Record<string, never> {
    return { msg_id: this.msg_id, msg_user: this.user_id, msg_status, msg_parts: this.parts(), msg_citations: [] } as unknown as Record<
      string,
      never
    >;
  }
}

const NOBODY = { generating_for: null, run_id: null, msg_id: null } as const;
