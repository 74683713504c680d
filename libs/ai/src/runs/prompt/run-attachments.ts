import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DescribedFiles, FoundFiles, type DescribedFile, type FoundFile } from '@atrium/files';
import { loadTokenCount } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { SECOND } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore } from '@atrium/platform/storage';
import { FileTexts } from '@atrium/retrieval';
import type { NoticePart } from '../../threads/domain/message-parts';
import { beginningOf } from './input-budget';
import { MOST_ATTACHED, type InputPicture, type InputText } from './run-input';

/** What came with the messages of a branch. */
export interface Attached {
  readonly texts: readonly InputText[];
  /** By the ids of their files. */
  readonly pictures: ReadonlyMap<string, InputPicture>;
  readonly notices: readonly NoticePart[];
}

type TextRow = Awaited<ReturnType<FileTexts['findTexts']>> extends ReadonlyMap<string, infer Row> ? Row : never;

const READY_MS = 20 * SECOND;
const LOOK_MS = 500;
/** Files that are looked at, the newest first. */
const MOST_FILES = 100;
/** Pictures that a model is shown; others are described. */
const MOST_PICTURES = 8;
/** Characters of one text: more than the tokens that all of them may take. */
const MOST_CHARS = 200_000;
/** Pictures that models of all protocols take. */
const SEEN = /^image\/(?:png|jpeg|webp|gif)$/;

/** Reads what came with messages, with the rights of the asker: in a constant number of statements, the newest first, and no more than the input holds. */
@Injectable()
export class RunAttachments {
  constructor(
    private readonly db: Database,
    private readonly files: FoundFiles,
    private readonly described: DescribedFiles,
    private readonly texts: FileTexts,
    private readonly store: ObjectStore,
  ) {}

  /** `file_ids`: the newest first; `sees`: whether the model reads pictures. */
  async readAttachments(actor: Principal, file_ids: readonly string[], sees: boolean, signal: AbortSignal): Promise<Attached> {
    const wanted = [...new Set(file_ids)].slice(0, MOST_FILES);
    if (wanted.length === 0) return { texts: [], pictures: new Map(), notices: [] };
    const named = await this.db.read(() => this.files.findReadable(actor, wanted));
    const open = wanted.flatMap((id) => named.get(id) ?? []);
    const images = open.filter(isImage);
    const documents = open.filter((file) => !isImage(file));
    const ready = await this.ready(documents, images, signal);
    const pictures = sees ? await this.pictures(images, ready.images) : new Map<string, InputPicture>();
    const late = documents.filter(
      ({ file_id }) => !isSettled(ready.texts.get(file_id)) || ready.texts.get(file_id)?.ft_status === 'failed',
    );
    const lateImages = images.filter(({ file_id }) => ready.images.get(file_id)?.is_ready === false);
    return {
      texts: [
        ...images.filter(({ file_id }) => !pictures.has(file_id)).map((file) => inWords(file, ready.images.get(file.file_id))),
        ...(await this.read(
          documents.filter((file) => !late.includes(file)),
          ready.texts,
        )),
      ],
      pictures,
      notices: [...(open.length < wanted.length ? [UNAVAILABLE] : []), ...late.map(notReady), ...lateImages.map(notSeen)],
    };
  }

  /** What is known of the files once all of them are read, or after 20 seconds. */
  private async ready(documents: readonly FoundFile[], images: readonly FoundFile[], signal: AbortSignal) {
    const until = Date.now() + READY_MS;
    for (;;) {
      const texts = documents.length > 0 ? await this.texts.findTexts(documents.map(({ file_id }) => file_id)) : new Map<string, TextRow>();
      const seen =
        images.length > 0 ? await this.described.describeFiles(images.map(({ file_id }) => file_id)) : new Map<string, DescribedFile>();
      const waits =
        documents.some(({ file_id }) => !isSettled(texts.get(file_id))) ||
        images.some(({ file_id }) => seen.get(file_id)?.is_ready === false);
      if (!waits || Date.now() > until) return { texts, images: seen };
      await pause(LOOK_MS, undefined, { signal });
    }
  }

  private async pictures(images: readonly FoundFile[], known: ReadonlyMap<string, DescribedFile>): Promise<Map<string, InputPicture>> {
    const pictures = new Map<string, InputPicture>();
    for (const { file_id } of images) {
      const picture = known.get(file_id)?.picture;
      if (pictures.size >= MOST_PICTURES) break;
      if (!picture || !SEEN.test(picture.type)) continue;
      const bytes = await this.store.get(picture.key).then(buffer).catch(unlessMissing);
      if (bytes) pictures.set(file_id, { bytes, type: picture.type });
    }
    return pictures;
  }

  /** Texts until they are more than the input holds; of those behind them the name. */
  private async read(documents: readonly FoundFile[], known: ReadonlyMap<string, TextRow>): Promise<InputText[]> {
    const count = await loadTokenCount();
    const texts: InputText[] = [];
    let left = MOST_ATTACHED;
    for (const { file_id: id, file_name: name } of documents) {
      const row = known.get(id);
      const whole = row?.ft_status !== 'ready' ? withoutText(row) : left > 0 ? ((await this.texts.readText(row)) ?? '') : '';
      const text = whole.slice(0, MOST_CHARS);
      const { text: held, tokens } = beginningOf(text, left, count);
      left = held.length < text.length ? 0 : left - tokens;
      texts.push({ kind: 'attachment', id, name, text, length: Math.max(whole.length, row?.ft_chars ?? 0) });
    }
    return texts;
  }
}

const isImage = ({ file_type }: FoundFile): boolean => file_type.startsWith('image/');
const isSettled = (row: TextRow | undefined): boolean => row !== undefined && row.ft_status !== 'pending' && row.ft_status !== 'running';
const withoutText = (row: TextRow | undefined): string =>
  row?.ft_status === 'empty' ? '(a file without text)' : '(a file whose text cannot be read)';

const UNAVAILABLE: NoticePart = { kind: 'notice', code: 'attachment_unavailable', detail: 'An attachment cannot be read any more.' };
const notReady = ({ file_name }: FoundFile): NoticePart => ({
  kind: 'notice',
  code: 'attachment_not_ready',
  detail: `The text of ${file_name} is not ready yet; the answer does without it.`,
});

const notSeen = ({ file_name }: FoundFile): NoticePart => ({
  kind: 'notice',
  code: 'attachment_not_ready',
  detail: `The picture ${file_name} is not ready yet; the answer does without it.`,
});

/** An image that the model is not shown: its name, and what people and analyses have said of it. */
function inWords({ file_id: id, file_name: name }: FoundFile, known: DescribedFile | undefined): InputText {
  const said = [
    '(an image that is not shown)',
    ...(known && known.words.tags !== '' ? [`Tags: ${known.words.tags}`] : []),
    ...(known?.file_summary ? [`Summary: ${known.file_summary}`] : []),
  ].join('\n');
  return { kind: 'attachment', id, name, text: said };
}

function unlessMissing(error: unknown): null {
  if (error instanceof ObjectMissing) return null;
  throw error;
}
