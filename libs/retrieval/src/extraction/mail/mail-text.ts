import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { resultOf } from '../extraction-result';
import { pageText } from '../html/page-text';
import { countTextNodes } from '../html/text-nodes';
import { cleanText } from '../text/clean-text';
import { outlineOf } from '../text/markdown-outline';
import { escapeMarkdown, oneLine } from '../text/markdown-syntax';
import { MarkdownWriter } from '../text/markdown-writer';
import { SignCounts } from '../text/sign-counts';
import { writeAttachments, type Attachment, type ReadFile } from './attachments';

/** What a mail says, whatever it was stored as. */
export interface Mail {
  readonly subject: string;
  readonly from: string;
  /** What is at the head of the mail besides its subject, in the order of reading. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Recipients of one line, cut there. */
const LONGEST_LINE = 20_000;

/** A mail as markdown: subject, head, body, and the attachments with their text. */
export async function textOfMail(engine: string, mail: Mail, task: ExtractionTask, read: ReadFile): Promise<ExtractedText> {
  const { limits } = task;
  const writer = new MarkdownWriter(limits.maxMarkdown);
  writer.heading(1, mail.subject);
  const head = mail.lines.filter(([, value]) => value !== '');
  writer.block(head.map(([name, value]) => `**${name}:** ${escapeMarkdown(oneLine(value).slice(0, LONGEST_LINE))}`).join('  \n'));
  writer.block(await bodyOf(mail, limits.maxMarkdown));
  const source = new SignCounts([mail.subject, ...head.map(([, value]) => value)].join('\n'));
  if (mail.html.trim() === '') source.add(mail.text);
  else await countTextNodes(mail.html, source, { around: true });
  const { isCut, loss } = await writeAttachments(writer, mail.attachments, task, read);
  const { markdown } = writer;
  const metadata = Object.fromEntries(
    [['title', oneLine(cleanText(mail.subject))] as const, ['author', oneLine(cleanText(mail.from))] as const].filter(
      ([, value]) => value !== '',
    ),
  );
  const whenEmpty = 'The mail contains no text.';
  return resultOf({
    engine,
    markdown,
    outline: outlineOf(markdown),
    truncated: writer.full || isCut,
    metadata,
    source,
    unread: loss,
    whenEmpty,
  });
}

async function bodyOf({ html, text }: Mail, most: number): Promise<string> {
  const { markdown } = html.trim() === '' ? { markdown: '' } : await pageText(html.slice(0, most * 2), undefined, { whole: true });
  return markdown.trim() === '' ? escapeMarkdown(cleanText(text.slice(0, most * 2))).trim() : markdown;
}
