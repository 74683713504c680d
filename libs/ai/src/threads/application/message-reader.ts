import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { asJson, notFound } from '@atrium/platform/kernel';
import type { MessageView } from '../../events/thread-event';
import type { MessageCitation } from '../domain/message';
import { citationsFor, isWithheldFrom, partsFor, type WithheldFacts } from '../domain/memory-answer';
import { MessagesRepository, type MessageRow, type Siblings } from '../infrastructure/messages.repository';
import { CitationGates } from './citation-gates';

/** A message as one reader sees it. */
export type MessageAnswer = Omit<MessageRow, 'row_version' | 'msg_recalls'> & {
  readonly msg_siblings: Siblings;
  /** Ratings are not taken yet. */
  readonly msg_feedback: null;
};

/** The same as events carry it. */
export const shownMessage = ({ msg_created, msg_updated, ...message }: Omit<MessageRow, 'row_version'> | MessageAnswer): MessageView =>
  asJson({ ...message, msg_created: textOf(msg_created), msg_updated: textOf(msg_updated) });

/** Rows that are read for answers have their moments as texts already. */
const textOf = (moment: Date | string): string => (typeof moment === 'string' ? moment : moment.toISOString());

/** A message as somebody sees it who may read all that it rests on; what others may not is taken out for each of them. */
export const messageView = ({ row_version: _, ...row }: MessageRow, msg_siblings: Siblings): MessageView => ({
  ...shownMessage(row),
  msg_siblings: asJson(msg_siblings),
  msg_feedback: null,
});

export type VersionedMessageAnswer = MessageAnswer & { readonly row_version: number };

/** Messages of a thread that the caller may read, which was decided before; within a unit of work. */
@Injectable()
export class MessageReader {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly gates: CitationGates,
  ) {}

  /** Of the branch that ends with a message its newest messages, oldest first: as many as have about so many bytes together, and the last one always. */
  async readBranch(thread_id: string, leaf: string | null, bytes: number): Promise<MessageRow[]> {
    return leaf === null ? [] : (await this.messages.findBranch(thread_id, leaf, { most: MOST_OF_A_BRANCH, bytes })).reverse();
  }

  /** The text that the branch of a message begins with. */
  readBeginning(thread_id: string, leaf: string): Promise<string> {
    return this.messages.readBeginning(thread_id, leaf);
  }

  /** One message as it is stored, unless it is gone. */
  findMessage(thread_id: string, msg_id: string): Promise<MessageRow | undefined> {
    return this.messages.findMessageRow(thread_id, msg_id);
  }

  /** One message as it is stored. */
  async requireMessage(thread_id: string, msg_id: string): Promise<MessageRow> {
    const row = await this.findMessage(thread_id, msg_id);
    if (!row) throw notFound('message');
    return row;
  }

  /** One message as the caller sees it. */
  async viewMessage(caller: Principal, row: MessageRow): Promise<VersionedMessageAnswer> {
    const [answer] = await this.viewMessages(caller, row.msg_thread, [row]);
    if (!answer) throw notFound('message');
    return { ...answer, row_version: row.row_version };
  }

  /** A question and its answer as the caller sees them, in two statements. */
  async viewPair(caller: Principal, thread_id: string, question_id: string, answer_id: string): Promise<[MessageAnswer, MessageAnswer]> {
    const [question, answer] = await this.viewMessages(
      caller,
      thread_id,
      await this.messages.findMessageRows(thread_id, [question_id, answer_id]),
    );
    if (!question || !answer) throw notFound('message');
    return [question, answer];
  }

  /** Messages of one thread as the caller sees them, in a constant number of statements. */
  async viewMessages(caller: Principal, thread_id: string, rows: readonly MessageRow[]): Promise<MessageAnswer[]> {
    if (rows.length === 0) return [];
    const siblingsOf = await this.messages.findSiblings(thread_id, rows);
    const citations = await this.viewCitations(
      caller,
      rows.map((row) => citationsFor(caller.user_id, row)),
    );
    return rows.map(({ row_version: _, msg_recalls, ...row }, at) => ({
      ...row,
      ...saidTo(caller, { ...row, msg_recalls }),
      msg_citations: citations[at] ?? [],
      msg_siblings: siblingsOf(row),
      msg_feedback: null,
    }));
  }

  /** Lists of citations as the caller sees them: of a source that they may not read, its number and kind are left. */
  async viewCitations(caller: Principal, lists: readonly (readonly MessageCitation[])[]): Promise<MessageCitation[][]> {
    const open = await this.gates.filterReadable(lists.flat(), caller);
    let at = 0;
    return lists.map((list) => list.map((citation) => (open[at++] === true ? citation : redactedCitation(citation))));
  }
}

type Said = Pick<MessageRow, 'msg_text' | 'msg_parts'>;

/** What a message says to one reader. */
export const saidTo = ({ user_id }: Pick<Principal, 'user_id'>, row: Said & WithheldFacts): Said => ({
  msg_text: isWithheldFrom(user_id, row) ? '' : row.msg_text,
  msg_parts: partsFor(user_id, row),
});

/** A citation of a source that the reader may not read. */
export const redactedCitation = ({ n, source_kind }: MessageCitation): MessageCitation => ({ n, source_kind, redacted: true });
/** What a model can take at most; longer threads lose their oldest turns anyway. */
const MOST_OF_A_BRANCH = 1_000;
