import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { damagedFile, sniffEncoding, textOfBytes } from '@atrium/platform/tabular';
import type { Address, Attachment as Attached, Email } from 'postal-mime';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { noText } from '../extraction-result';
import type { Attachment, ReadFile } from './attachments';
import { textOfMail } from './mail-text';

const ENGINE = 'eml/1';
const ENCRYPTED = /^application\/(?:x-)?(?:pkcs7-mime|pgp-encrypted)$/;
/** Parts inside each other; mail programs stay below ten. */
const LIMITS = { maxNestingDepth: 100, maxRfc822NestingDepth: 10 };

/** A mail as it was sent. */
export async function extractEml(task: ExtractionTask, read: ReadFile): Promise<ExtractedText> {
  const mail = await parsed(await readFile(task.path));
  if (isEncrypted(mail)) return noText('failed', ENGINE, 'The mail is encrypted. Save it without encryption and upload it again.');
  const { subject = '', from, to, cc, html = '', text = '' } = mail;
  return textOfMail(
    ENGINE,
    {
      subject,
      from: from ? nameOf(from) : '',
      lines: [
        ['From', from ? addressOf(from) : ''],
        ['To', (to ?? []).map(addressOf).join(', ')],
        ['Cc', (cc ?? []).map(addressOf).join(', ')],
        ['Date', mail.headers.find(({ key }) => key === 'date')?.value ?? mail.date ?? ''],
      ],
      html,
      text,
      attachments: mail.attachments.filter((each) => !isPictureOfBody(each)).map(attachmentOf),
    },
    task,
    read,
  );
}

async function parsed(bytes: Buffer): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(await readable(bytes), LIMITS).catch((cause: unknown) => {
    throw damagedFile('mail', cause);
  });
  return withoutControls(mail);
}

/** Where a mail names an encoding, its parts are read by theirs; and what is not text is not read as such. */
const NAMES_ENCODING = /charset\s*=|=\?[\w-]{2,40}\?[bq]\?|content-transfer-encoding:\s*binary/i;

/** Mails of old programs say nothing of the encoding that their head and text are in. */
async function readable(bytes: Buffer): Promise<Buffer> {
  if (isUtf8(bytes) || NAMES_ENCODING.test(bytes.toString('latin1'))) return bytes;
  return Buffer.from(textOfBytes(bytes, await sniffEncoding(bytes, true)));
}

/** Some platforms decode windows-1252, and what browsers read as such, by ISO 8859-1: its quotes, dashes and euros are controls there. */
const CONTROLS = /[\x80-\x9f]/g;

const FIRST_CONTROL = 0x80;
/** Read once: a decoder for each sign costs more than the mail. */
const SIGNS = textOfBytes(
  Uint8Array.from({ length: 32 }, (_, at) => FIRST_CONTROL + at),
  'windows-1252',
);

const signOf = (control: string): string => SIGNS.charAt(control.charCodeAt(0) - FIRST_CONTROL);

/** Texts of a mail, however deep, with the signs that were meant; bytes of attachments are no texts. */
function withoutControls<T>(value: T): T {
  if (typeof value === 'string') return value.replace(CONTROLS, signOf) as T;
  if (Array.isArray(value)) return value.map(withoutControls) as T;
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutControls(inner)])) as T;
}

const isEncrypted = ({ html, text, attachments }: Email): boolean =>
  !html?.trim() && !text?.trim() && attachments.some(({ mimeType }) => ENCRYPTED.test(mimeType));

/** Pictures that the body shows are no attachments to people. */
const isPictureOfBody = ({ related, mimeType }: Attached): boolean => related === true && mimeType.startsWith('image/');

const attachmentOf = ({ filename, description, mimeType, content }: Attached): Attachment => ({
  name: filename ?? description ?? (mimeType === 'message/rfc822' ? 'mail.eml' : ''),
  type: mimeType,
  bytes: () => (typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)),
});

const nameOf = ({ name, address }: Address): string => name || (address ?? '');

const addressOf = ({ name, address, group }: Address): string => {
  if (group) return `${name}: ${group.map((member) => addressOf(member)).join(', ')};`;
  return name && address && name !== address ? `${name} <${address}>` : name || (address ?? '');
};
