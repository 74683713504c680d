import { Problem } from '@atrium/platform/kernel';
import type { ExtractedText, ExtractionTask } from './extracted-text';
import { noText, resultOf } from './extraction-result';
import { extractEpub } from './book/epub';
import { pageText } from './html/page-text';
import { countTextNodes } from './html/text-nodes';
import type { FileKind } from './file-kind';
import { kindOfFile } from './kind-of-file';
import { extractEml } from './mail/eml';
import { extractMsg } from './mail/msg';
import { extractDocx } from './office/docx';
import { extractGrid } from './office/grid';
import { extractOdp } from './office/odp';
import { extractOds } from './office/ods';
import { extractOdt } from './office/odt';
import { extractOldOffice } from './office/old-office';
import { extractPptx } from './office/pptx';
import { extractPdf } from './pdf/pdf';
import { extractRtf } from './rtf/rtf';
import { decodedFile } from './text/decoded-file';
import { outlineOf } from './text/markdown-outline';
import { cutText } from './text/markdown-writer';
import { extractText } from './text/plain-files';
import { SignCounts } from './text/sign-counts';

const DAMAGED = 'The file is damaged and cannot be read. Save it again and upload the new copy.';

export type OnPage = (page: number) => void;

/**
 * The text of a file. Whatever the file is, there is an answer: what cannot be read has none and says why. Only trouble of this
 * machine (a missing file, a full disk) is thrown.
 */
export async function extractFile(task: ExtractionTask, onPage?: OnPage): Promise<ExtractedText> {
  let engine = 'none';
  try {
    const kind = await kindOfFile(task);
    engine = kind.engine;
    return await extractAs(kind, task, onPage);
  } catch (error) {
    if (isOfThisMachine(error)) throw error;
    return noText('failed', `${engine}/1`, error instanceof Problem ? error.detail : DAMAGED);
  }
}

const isDamaged = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'unprocessable_content' && /is damaged/.test(error.detail);

/** A disk that is full, a file or a library that is not there: no fault of what is read. */
const isOfThisMachine = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || ('code' in error && /MODULE|ERR_REQUIRE/.test(String(error.code))));

/** Each engine loads its library when the first file needs it. */
async function extractAs(kind: FileKind, task: ExtractionTask, onPage: OnPage | undefined): Promise<ExtractedText> {
  switch (kind.engine) {
    case 'none':
      return noText(kind.status, 'none/1', kind.reason);
    case 'pdf':
      return extractPdf(task, onPage).catch((error: unknown) => {
        if (!('otherwise' in kind) || !isDamaged(error)) throw error;
        return extractAs(kind.otherwise, task, onPage);
      });
    case 'docx':
      return extractDocx(task);
    case 'pptx':
      return extractPptx(task);
    case 'xlsx':
    case 'csv':
    case 'tsv':
      return extractGrid(task, kind.engine);
    case 'odt':
      return extractOdt(task);
    case 'ods':
      return extractOds(task);
    case 'odp':
      return extractOdp(task);
    case 'rtf':
      return extractRtf(task);
    case 'epub':
      return extractEpub(task);
    case 'eml':
      return extractEml(task, extractFile);
    case 'msg':
      return extractMsg(task, extractFile);
    case 'doc':
    case 'xls':
    case 'ppt':
      return extractOldOffice(task, kind.engine);
    case 'html':
      return extractHtml(task);
    case 'text':
      return extractText(task.path, kind.text, task.limits);
  }
}

async function extractHtml({ path, limits }: ExtractionTask): Promise<ExtractedText> {
  const { text, truncated, guessed } = await decodedFile(path, { most: limits.maxMarkdown * 2, labelled: true });
  const page = await pageText(text);
  const source = new SignCounts();
  await countTextNodes(text, source, { around: false });
  const long = page.markdown.length > limits.maxMarkdown;
  const markdown = long ? cutText(page.markdown, limits.maxMarkdown) : page.markdown;
  const metadata = Object.fromEntries(
    [['title', page.title] as const, ['language', page.language] as const, ['author', page.author] as const].flatMap(([key, value]) =>
      value === null ? [] : [[key, value]],
    ),
  ) as Record<string, string>;
  const whenEmpty = 'The page contains no text of its own. A page that is built in the browser must be saved from the browser.';
  return resultOf({
    engine: 'html/1',
    markdown,
    outline: outlineOf(markdown),
    truncated: truncated || long,
    metadata,
    guessed,
    source,
    whenEmpty,
  });
}
