import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileLifecycle, ReindexSteps, type File } from '@atrium/files';
import { FilePassages } from './file-passages';
import { isTextRepository } from './text-repositories';

const idsOf = (files: readonly File[]): string[] => files.map(({ file_id }) => file_id);
const withText = (files: readonly File[]): File[] => files.filter(({ repository }) => isTextRepository(repository.type));

/** What happens to files happens to their texts and passages, in the same transaction. */
@Injectable()
export class FileHooks implements OnModuleInit {
  constructor(
    private readonly lifecycle: FileLifecycle,
    private readonly steps: ReindexSteps,
    private readonly passages: FilePassages,
  ) {}

  onModuleInit(): void {
    const { passages } = this;
    this.lifecycle.register({
      onReady: (file) => this.ready(file),
      onMoved: async (files) => {
        const kept = withText(files);
        if (kept.length > 0) await passages.updateScopes(idsOf(kept));
        const left = idsOf(files.filter((file) => !kept.includes(file)));
        if (left.length > 0) await passages.forgetFiles(left);
      },
      onRenamed: (file) => (withText([file]).length > 0 ? passages.renameSource(file.file_id) : Promise.resolve()),
      onTrashed: (files) => passages.hideFiles(idsOf(withText(files))),
      onRestored: (files) => passages.updateScopes(idsOf(withText(files))),
      onPurged: (ids) => passages.forgetFiles(ids),
    });
    this.steps.register({
      step: 'text',
      reindexFiles: async (ids) => {
        await passages.remakeTexts(ids);
        return [];
      },
    });
  }

  /** New bytes may have come back that were read before: their text is there, and so are their passages. */
  private async ready(file: File): Promise<void> {
    if (withText([file]).length === 0) return;
    if (!(await this.passages.requestText(file.file_id, file.repository.type, file.file_hash)))
      await this.passages.updateScopes([file.file_id]);
  }
}
