import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExtractedText, ExtractionTask } from '../extracted-text';
import { escapeMarkdown, oneLine } from '../text/markdown-syntax';
import type { MarkdownWriter } from '../text/markdown-writer';
import type { TextLoss } from '../text/sign-counts';

/** A file that came with a mail. */
export interface Attachment {
  readonly name: string;
  readonly type: string;
  bytes(): Uint8Array;
}

export type ReadFile = (task: ExtractionTask) => Promise<ExtractedText>;

/** Mails inside mails whose attachments are read. */
const DEEPEST = 2;
const MOST_NAMED = 500;
const MOST_READ = 50;
/** Milliseconds of a processor after which attachments are named only. */
const READING_MS = 120_000;
/** The same on the clock, on which the programs count that convert them. The process that reads the mail has 300 seconds for all of it. */
const TOGETHER_MS = 200_000;
/** Part of what a file may unpack to that each attachment may. */
const UNPACKED_PART = 4;
const LONGEST_NAME = 250;
/** Attachments whose loss is put in words. */
const MOST_REASONS = 3;

/** What became of the attachments of a mail. */
export interface Written {
  /** Something was left out because of a bound. */
  readonly isCut: boolean;
  /** What the texts of some do not hold of their files. */
  readonly loss: TextLoss | undefined;
}

const NOTHING: Written = { isCut: false, loss: undefined };

/** Writes the names of attachments, and their text where it can be read. */
export async function writeAttachments(
  writer: MarkdownWriter,
  attachments: readonly Attachment[],
  task: ExtractionTask,
  read: ReadFile,
): Promise<Written> {
  if (attachments.length === 0) return NOTHING;
  const begun = process.cpuUsage();
  const until = performance.now() + Math.min(TOGETHER_MS, task.limits.clockMs);
  const depth = task.depth ?? 0;
  const left = { files: depth < DEEPEST ? MOST_READ : 0, pages: task.limits.maxPages };
  const folder = await mkdtemp(`${task.path}-`);
  let isCut = attachments.length > MOST_NAMED;
  const losses = new AttachmentLosses();
  try {
    for (const [at, attachment] of attachments.slice(0, MOST_NAMED).entries()) {
      const name = oneLine(attachment.name).slice(0, LONGEST_NAME) || `attachment ${at + 1}`;
      writer.heading(2, `Attachment: ${name}`);
      if (writer.full) return { isCut: true, loss: losses.together };
      const clockMs = until - performance.now();
      if (left.files-- <= 0 || spentMs(begun) > READING_MS || clockMs <= 0 || left.pages <= 0) {
        isCut = true;
        continue;
      }
      const path = join(folder, 'file');
      await writeFile(path, attachment.bytes());
      const found = await read({
        path,
        type: attachment.type,
        name,
        depth: depth + 1,
        limits: { ...limitsOf(task, writer, left.pages), clockMs },
      });
      left.pages -= found.pages ?? 0;
      isCut ||= found.truncated;
      losses.add(name, found);
      writer.block(found.status === 'ready' ? found.markdown : `(${escapeMarkdown(found.reason ?? '')})`);
    }
    return { isCut, loss: losses.together };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Losses of several files as one of them all. */
class AttachmentLosses {
  private readonly reasons: string[] = [];
  private lost = 0;
  private words = 0;

  add(name: string, { words, file_words = words, loss }: Pick<ExtractedText, 'words' | 'file_words' | 'loss'>): void {
    const counted = loss ? Math.max(1, file_words) : words;
    this.words += counted;
    if (!loss) return;
    this.lost += loss.share * counted;
    if (this.reasons.length < MOST_REASONS) this.reasons.push(`${name}: ${loss.reason}`);
  }

  get together(): TextLoss | undefined {
    if (this.lost === 0) return undefined;
    return { share: Math.min(1, Math.max(0.0001, this.lost / Math.max(1, this.words))), reason: this.reasons.join(' ') };
  }
}

const spentMs = (begun: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
};

const limitsOf = ({ limits }: ExtractionTask, writer: MarkdownWriter, maxPages: number): ExtractionTask['limits'] => ({
  ...limits,
  maxUnpackedBytes: Math.floor(limits.maxUnpackedBytes / UNPACKED_PART),
  maxMarkdown: Math.max(1, writer.room),
  maxPages,
});
