import { readFile, rm, writeFile } from 'node:fs/promises';
import { damagedFile } from '@atrium/platform/tabular';
import type { FieldsData, default as MsgReader } from '@kenjiuno/msgreader';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { encodingOfPage } from '../rtf/rtf-fonts';
import { decodedFile } from '../text/decoded-file';
import type { Attachment, ReadFile } from './attachments';
import { textOfMail } from './mail-text';

type Readers = typeof import('@kenjiuno/msgreader');

const ENGINE = 'msg/1';
const WHAT = 'mail';

/** A mail as Outlook stores it. */
export async function extractMsg(task: ExtractionTask, read: ReadFile): Promise<ExtractedText> {
  const { reader, fields } = await opened(task.path);
  const from = { name: fields.senderName ?? '', email: fields.senderSmtpAddress ?? fields.senderEmail ?? '' };
  return textOfMail(
    ENGINE,
    {
      subject: fields.subject ?? '',
      from: from.name || from.email,
      lines: [
        ['From', personOf(from)],
        ['To', recipients(fields, 'to')],
        ['Cc', recipients(fields, 'cc')],
        ['Date', fields.clientSubmitTime ?? fields.messageDeliveryTime ?? ''],
      ],
      html: fields.bodyHtml ?? (await htmlOf(fields.html, task)),
      text: fields.body ?? '',
      attachments: (fields.attachments ?? [])
        .filter(({ attachmentHidden }) => attachmentHidden !== true)
        .map((each) => attachmentOf(reader, each)),
    },
    task,
    read,
  );
}

async function opened(path: string): Promise<{ reader: MsgReader; fields: FieldsData }> {
  // A module of CommonJS is the default of what is imported, or what is imported itself where the import is a `require`.
  const { default: loaded }: { default: Readers | Readers['default'] } = await import('@kenjiuno/msgreader');
  const Reader = 'default' in loaded ? loaded.default : loaded;
  const bytes = await readFile(path);
  try {
    const opened = (encoding?: string): { reader: MsgReader; fields: FieldsData } => {
      const reader = new Reader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      if (encoding !== undefined) reader.parserConfig = { ansiEncoding: encoding };
      return { reader, fields: reader.getFileData() };
    };
    const { messageCodepage: page, internetCodepage } = opened().fields;
    // Texts that are not Unicode are in the code page that the message says.
    const found = opened(encodingOfPage(page ?? internetCodepage ?? 0));
    // Every message says its class; one that is cut off says nothing.
    if (found.fields.error !== undefined || found.fields.messageClass === undefined) throw damagedFile(WHAT, found.fields.error);
    return found;
  } catch (cause) {
    throw damagedFile(WHAT, cause);
  }
}

/** The page of the body says itself what it is encoded in. */
async function htmlOf(bytes: Uint8Array | undefined, { path, limits }: ExtractionTask): Promise<string> {
  if (bytes === undefined) return '';
  const page = `${path}-body`;
  try {
    await writeFile(page, bytes);
    return (await decodedFile(page, { most: limits.maxMarkdown * 2, labelled: true })).text;
  } finally {
    await rm(page, { force: true });
  }
}

const recipients = ({ recipients: all = [] }: FieldsData, type: 'to' | 'cc'): string =>
  all
    .filter(({ recipType = 'to' }) => recipType === type)
    .map(({ name = '', smtpAddress, email = '' }) => personOf({ name, email: smtpAddress ?? email }))
    .join(', ');

/** Addresses within an Exchange server say nothing to people. */
function personOf({ name, email }: { readonly name: string; readonly email: string }): string {
  if (name === '' || name === email) return email;
  return email.includes('@') ? `${name} <${email}>` : name;
}

const attachmentOf = (reader: MsgReader, attached: FieldsData): Attachment => ({
  name: attached.fileName ?? attached.name ?? attached.fileNameShort ?? '',
  type: attached.attachMimeTag ?? 'application/octet-stream',
  bytes: () => {
    try {
      return reader.getAttachment(attached).content;
    } catch (cause) {
      throw damagedFile(WHAT, cause);
    }
  },
});
