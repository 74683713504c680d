import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { asJson, isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { StreamEvent } from '@atrium/platform/messaging';
import { MessageReader, saidTo } from '../threads/application/message-reader';
import { isCitation, type MessageCitation } from '../threads/domain/message';
import { citationsFor, partsFor, WITHHELD, type WithheldFacts } from '../threads/domain/memory-answer';
import { isPart, type MessagePart } from '../threads/domain/message-parts';
import { ThreadStateRepository } from './thread-state.repository';

/** An entry of the stream: what is shown of it depends on who reads where it names sources or what tools found. */
export interface StreamEntry {
  readonly kind: string;
  readonly data: JsonObject;
}

/** The entry that an event of a stream is. */
export const entryOf = ({ event: { kind, data } }: StreamEvent): StreamEntry => ({
  kind: typeof kind === 'string' ? kind : '',
  data: isObject(data) ? data : {},
});

/** Entries as one reader sees them: citations of what they may not read, and what tools found for somebody else, are left out. */
@Injectable()
export class ReaderView {
  constructor(
    private readonly db: Database,
    private readonly reader: MessageReader,
    private readonly rows: ThreadStateRepository,
  ) {}

  /** Whether everybody sees the entry as it is. */
  isPlain({ kind, data }: StreamEntry): boolean {
    if (kind === 'lock') return true;
    if (data.only_for !== undefined) return false;
    if (data.message !== undefined || data.citations !== undefined || data.parts !== undefined) return false;
    return (data.value as MessagePart | undefined)?.kind !== 'tool';
  }

  viewFor(caller: Principal, thread_id: string, { kind, data: { only_for, ...whole } }: StreamEntry): Promise<JsonObject> {
    const data = only_for === undefined || only_for === caller.user_id ? whole : withoutContent(whole);
    if (this.isPlain({ kind, data })) return Promise.resolve(data);
    return this.db.read(async () => {
      if (isObject(data.message)) return { ...data, message: await this.message(caller, data.message) };
      const asked = typeof data.msg_id === 'string' ? await this.rows.readAsker(thread_id, data.msg_id) : OF_NOBODY;
      if (Array.isArray(data.citations)) {
        const msg_citations = data.citations.filter(isCitation);
        return {
          ...data,
          citations: await this.citations(caller, citationsFor(caller.user_id, { ...asked, msg_parts: [], msg_citations })),
        };
      }
      const parts = (list: readonly unknown[]): JsonValue[] => shown(caller, list, asked);
      if (Array.isArray(data.parts)) return { ...data, parts: parts(data.parts) };
      return { ...data, value: parts([data.value ?? null])[0] ?? null };
    });
  }

  private async message(caller: Principal, { msg_recalls, ...message }: JsonObject): Promise<JsonObject> {
    const parts = Array.isArray(message.msg_parts) ? message.msg_parts : [];
    const citations = Array.isArray(message.msg_citations) ? message.msg_citations : [];
    const whole = {
      msg_user: typeof message.msg_user === 'string' ? message.msg_user : null,
      msg_text: typeof message.msg_text === 'string' ? message.msg_text : '',
      msg_parts: parts.filter(isPart),
      msg_citations: citations.filter(isCitation),
      msg_recalls: msg_recalls === true,
    };
    const shownCitations = await this.citations(caller, citationsFor(caller.user_id, whole));
    return { ...message, ...asJson(saidTo(caller, whole)), msg_citations: shownCitations };
  }

  private async citations(caller: Principal, list: readonly MessageCitation[]): Promise<JsonValue[]> {
    const [open = []] = await this.reader.viewCitations(caller, [list]);
    return open.map(asJson);
  }
}

type Asked = Pick<WithheldFacts, 'msg_user' | 'msg_recalls'>;
const OF_NOBODY: Asked = { msg_user: null, msg_recalls: false };

const shown = (caller: Principal, parts: readonly unknown[], asked: Asked): JsonValue[] =>
  partsFor(caller.user_id, { msg_parts: parts.filter((part) => isPart(part)), ...asked, msg_citations: [] }).map(asJson);

/** An event of an answer that rests on memories of somebody else: that it goes on, and nothing of what it says. */
const withoutContent = (data: JsonObject): JsonObject => ({
  ...data,
  ...(data.text === undefined ? {} : { text: '' }),
  ...(data.value === undefined ? {} : { value: { ...WITHHELD } }),
  ...(data.parts === undefined ? {} : { parts: [{ ...WITHHELD }] }),
  ...(data.citations === undefined ? {} : { citations: [] }),
  ...(data.calls === undefined ? {} : { calls: [] }),
  ...(isObject(data.message) ? { message: { ...data.message, msg_text: '', msg_parts: [{ ...WITHHELD }], msg_citations: [] } } : {}),
});
