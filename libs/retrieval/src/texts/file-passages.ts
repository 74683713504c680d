import { Injectable } from '@nestjs/common';
import { FileSearchText } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { BackgroundJobs, planJob, Outbox, type Job } from '@atrium/platform/messaging';
import { PassageIndex } from '../passages/application/passage-index';
import { FileTextRepository, textVersion } from './file-text.repository';
import { isTextRepository, TextRepositories } from './text-repositories';
import { discardTexts, extractText } from './texts.jobs';

/** The kind of sources that files are. */
export const FILE_SOURCE = 'file';

/** Keeps texts and passages in step with files, in the unit of work of whatever happens to them. */
@Injectable()
export class FilePassages {
  constructor(
    private readonly db: Database,
    private readonly texts: FileTextRepository,
    private readonly repositories: TextRepositories,
    private readonly index: PassageIndex,
    private readonly words: FileSearchText,
    private readonly outbox: Outbox,
    private readonly jobs: BackgroundJobs,
  ) {}

  /** The text of these bytes is wanted, if files of the repository have one. */
  async requestText(
    file_id: string,
    repo_type: string,
    hash: string | null,
    { force = false }: { readonly force?: boolean } = {},
  ): Promise<boolean> {
    if (hash === null || !isTextRepository(repo_type)) return false;
    if (!(await this.repositories.isRead(repo_type, file_id))) return false;
    if (!(await this.texts.requestText(file_id, hash, force))) return false;
    this.outbox.addJob(planJob(extractText, { file_id, version: hash }));
    return true;
  }

  /** Where the files are searched follows from what they are now: called in the unit of work that changes it. */
  async updateScopes(file_ids: readonly string[]): Promise<void> {
    await this.texts.lockTexts(file_ids);
    const files = await this.texts.findScopedFiles(file_ids);
    const scopes = await this.repositories.findScopes(files);
    const chunking = await this.repositories.readChunkOptions(files);
    for (const { file_id, repo_type, file_hash, text } of files) {
      const keys = scopes.get(file_id) ?? [];
      if (text === null || text.ft_version !== file_hash) await this.requestText(file_id, repo_type, file_hash);
      else if (keys.length > 0 && text.ft_status === 'ready')
        await this.index.indexSource({ kind: FILE_SOURCE, id: file_id }, textVersion(text), keys, chunking.get(file_id));
      // Passages of the bytes before answer until those of the new ones are there, in the scopes of now.
      if (keys.length > 0 && (text?.ft_status !== 'ready' || text.ft_version !== file_hash))
        await this.index.setScopes({ kind: FILE_SOURCE, id: file_id }, keys);
    }
    const found = new Set(files.map(({ file_id }) => file_id).filter((id) => (scopes.get(id) ?? []).length > 0));
    await this.index.removeAll(
      FILE_SOURCE,
      file_ids.filter((id) => !found.has(id)),
    );
  }

  /** The files are out of reach; what was made of them is kept for when they come back. */
  hideFiles(file_ids: readonly string[]): Promise<void> {
    return this.index.removeAll(FILE_SOURCE, file_ids);
  }

  /** What citations call them has changed. */
  renameSource(file_id: string): Promise<void> {
    return this.index.refreshSource({ kind: FILE_SOURCE, id: file_id });
  }

  /** Nothing of their text stays. */
  async forgetFiles(file_ids: readonly string[]): Promise<void> {
    await this.index.removeAll(FILE_SOURCE, file_ids, { forGood: true });
    const keys = await this.texts.deleteTexts(file_ids);
    if (keys.length === 0) return;
    await this.words.replaceWords(
      'content',
      file_ids.map((file_id) => ({ file_id, words: '' })),
    );
    this.discardMarkdown(keys);
  }

  /** Markdown that no text has any more is removed behind the unit of work. */
  discardMarkdown(keys: readonly string[]): void {
    this.outbox.addJob(planJob(discardTexts, { keys: [...keys] }));
  }

  /** Has the text of one file's bytes read again, for a caller who waits for it; within a unit of work. */
  async startReading(file_id: string, version: string): Promise<Job> {
    await this.texts.requestText(file_id, version, true);
    return this.jobs.startJob(planJob(extractText, { file_id, version }));
  }

  /** Has the texts of some files made again; within no unit of work. */
  async remakeTexts(file_ids: readonly string[]): Promise<void> {
    await this.db.write(async () => {
      for (const { file_id, repo_type, file_hash } of await this.texts.findScopedFiles(file_ids))
        await this.requestText(file_id, repo_type, file_hash, { force: true });
    });
  }
}
