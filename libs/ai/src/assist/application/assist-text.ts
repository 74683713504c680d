import { Injectable } from '@nestjs/common';
import { ReadableFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, notYet, resolveReference, unknownReference } from '@atrium/platform/kernel';
import { FileTexts } from '@atrium/retrieval';
import { MessageTexts } from '../../threads/application/message-texts';

/** The text that is worked on, or the file or the message that holds it. */
export interface TextInput {
  readonly text?: string;
  readonly file_id?: string;
  readonly msg_id?: string;
}

export interface GivenText {
  readonly text: string;
  /** Null: all of it was taken. */
  readonly limits: string | null;
}

const MOST_TEXT = 50_000;

/** The text of a request: the one that was sent, or that of a file or a message that the caller can read. */
@Injectable()
export class AssistText {
  constructor(
    private readonly db: Database,
    private readonly files: ReadableFiles,
    private readonly texts: FileTexts,
    private readonly messages: MessageTexts,
  ) {}

  async readText(caller: Principal, { text, file_id, msg_id }: TextInput): Promise<GivenText> {
    if ([text, file_id, msg_id].filter((one) => one !== undefined).length !== 1)
      throw invalidField('text', 'is required unless file_id or msg_id is set; set exactly one of them', 'required');
    if (msg_id !== undefined) return given(await this.ofMessage(caller, msg_id.toLowerCase()), 'msg_id');
    if (file_id !== undefined) return given(await this.ofFile(caller, file_id.toLowerCase()), 'file_id');
    return given(text ?? '', 'text');
  }

  private ofMessage(caller: Principal, msg_id: string): Promise<string> {
    return resolveReference('msg_id', 'message', () => this.db.read(() => this.messages.readText(caller, msg_id)));
  }

  private async ofFile(caller: Principal, file_id: string): Promise<string> {
    const readable = await this.db.read(() => this.files.findReadable(caller, [file_id], ['media', 'generated', 'docs', 'ds', 'thread']));
    if (!readable.has(file_id)) throw unknownReference('file_id', 'file');
    const markdown = await this.texts.readMarkdown(file_id);
    if (markdown === null)
      throw notYet(
        'The file has no text, or its text has not been extracted yet. Try again shortly, or send the text itself.',
        5,
        'unprocessable_content',
      );
    return markdown;
  }
}

function given(text: string, field: string): GivenText {
  if (text.trim() === '') throw invalidField(field, 'must contain text', 'min');
  if (text.length <= MOST_TEXT) return { text, limits: null };
  return { text: text.slice(0, MOST_TEXT), limits: `Only the first ${MOST_TEXT} characters were used.` };
}
