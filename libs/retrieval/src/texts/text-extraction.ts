import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { Bytes, FileSearchText, KnownLosses } from '@atrium/files';
import { UsageMeter } from '@atrium/governance';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import { PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import type { ExtractedText } from '../extraction/extracted-text';
import { languageOf } from '../passages/infrastructure/language';
import { FilePassages } from './file-passages';
import { FileTextRepository, type FileToRead } from './file-text.repository';
import { TextEngine } from './text-engine';
import { TextStore } from './text-store';
import { TextWatchers } from './text-watchers';

const PREFIX = 'atrium-text-';
const GIVEN_UP = 'Text extraction failed several times because of errors of the service. Extract the text again, or replace the file.';

/** Reads the text of a file's bytes, keeps it, and has it indexed. */
@Injectable()
export class TextExtraction {
  constructor(
    private readonly db: Database,
    private readonly texts: FileTextRepository,
    private readonly passages: FilePassages,
    private readonly bytes: Bytes,
    private readonly engine: TextEngine,
    private readonly store: TextStore,
    private readonly words: FileSearchText,
    private readonly losses: KnownLosses,
    private readonly meter: UsageMeter,
    private readonly watchers: TextWatchers,
    private readonly clock: Clock,
  ) {}

  async extractFile(file_id: string, version: string, run: Pick<JobRun, 'signal' | 'heartbeat' | 'givesUpOn'>): Promise<void> {
    const file = await this.db.write(() => this.texts.beginRun(file_id, version));
    if (!file) return;
    try {
      const { text, blob_key } = await this.read(file_id, version, file, run.signal);
      await this.keep(file_id, version, text, blob_key);
    } catch (error) {
      // The file went while it was read: nothing is left to say of it.
      if (error instanceof Problem && error.code === 'not_found') return;
      if (await run.givesUpOn(error)) {
        const reason = error instanceof PermanentFailure ? error.message : GIVEN_UP;
        await this.fail(file_id, version, reason);
      }
      throw error;
    }
  }

  /** The queue has given the work up, and no run can say so. */
  giveUp(file_id: string, version: string, reason: string): Promise<void> {
    return this.fail(file_id, version, reason, { ifOpen: true });
  }

  /** Nothing is read of these bytes, so nothing of those before is found either: it may be what was taken out. */
  private fail(file_id: string, version: string, reason: string, only?: { readonly ifOpen: boolean }): Promise<void> {
    return this.db.write(async () => {
      const settled = await this.texts.failText(file_id, version, reason, only);
      if (!settled) return;
      if (settled.replaced !== null) this.passages.discardMarkdown([settled.replaced]);
      await this.words.replaceWords('content', [{ file_id, words: '' }]);
      await this.losses.recordLoss(file_id, { hash: version, loss: null });
      await this.passages.hideFiles([file_id]);
      await this.watchers.notifyExtracted(file_id, 'failed');
    });
  }

  private async read(
    file_id: string,
    version: string,
    { file_name, file_type }: FileToRead,
    signal: AbortSignal,
  ): Promise<{ text: ExtractedText; blob_key: string }> {
    const folder = await mkdtemp(join(tmpdir(), PREFIX));
    try {
      const path = join(folder, 'file');
      const { stream, key } = await this.bytes.openBytes(file_id, version);
      await pipeline(stream, createWriteStream(path), { signal });
      return {
        text: await this.engine.extractText({ path, type: file_type, name: file_name }, signal),
        blob_key: key,
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async keep(file_id: string, version: string, { markdown, ...text }: ExtractedText, blob_key: string): Promise<void> {
    const isReady = text.status === 'ready';
    const key = isReady ? await this.store.putMarkdown(file_id, version, { markdown, blob_key, engine: text.engine }) : null;
    const language = isReady ? (text.metadata.language?.slice(0, 2).toLowerCase() ?? (await languageOf(markdown))) : null;
    await this.db.write(async () => {
      const settled = await this.texts.saveText(file_id, version, text, { key, chars: markdown.length, language });
      // The file went or has other bytes now, or had others before: no text has that markdown any more.
      const unused = settled ? settled.replaced : key;
      if (unused !== null) this.passages.discardMarkdown([unused]);
      if (!settled) return;
      await this.words.replaceWords('content', [{ file_id, words: markdown }]);
      await this.losses.recordLoss(file_id, { hash: version, loss: text.loss });
      this.meter.chargeUsage({
        param: 'documents.conversion_pages',
        units: Math.max(1, text.pages ?? 1),
        user: requireScope().actor.user_id,
        ref: { file_id },
        at: this.clock.now(),
        source: `text:${file_id}:${version}:${text.engine}`,
      });
      if (isReady) await this.passages.updateScopes([file_id]);
      else await this.passages.hideFiles([file_id]);
      await this.watchers.notifyExtracted(file_id, text.status);
    });
  }
}
