import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LISTED_REPO_TYPES, ReadableFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { FileTexts } from '@atrium/retrieval';
import { SubjectReaders, type SubjectReader, type SubjectText } from './subject-readers';

/** Files as subjects of threads: their name and the text that was read from them. */
@Injectable()
export class FilesAsSubjects implements SubjectReader, OnModuleInit {
  readonly type = 'file' as const;

  constructor(
    private readonly db: Database,
    private readonly subjects: SubjectReaders,
    private readonly files: ReadableFiles,
    private readonly texts: FileTexts,
  ) {}

  onModuleInit(): void {
    this.subjects.register(this);
  }

  async findNames(actor: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const files = await this.files.findReadable(actor, ids, LISTED_REPO_TYPES);
    return new Map([...files].map(([id, { file_name }]) => [id, file_name]));
  }

  async readText(actor: Principal, id: string): Promise<SubjectText | null> {
    const name = await this.db.read(async () => (await this.findNames(actor, [id])).get(id));
    return name === undefined ? null : { name, text: (await this.texts.readMarkdown(id)) ?? '' };
  }
}
