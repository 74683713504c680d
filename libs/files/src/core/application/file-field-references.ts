import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FormReferences, type ReferenceAsker, type ReferenceQuestion } from '@atrium/forms';
import { sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { REPOSITORIES, type RepoType } from '../domain/repositories';
import { ReadableFileRows, type ReferredFile } from '../infrastructure/readable-files.rows';
import { ReadableFiles } from './readable-files';

const UNKNOWN = 'is not a file that exists.';
const KINDS = Object.keys(REPOSITORIES) as RepoType[];

/** Answers for fields of the type file: files that the writer may read, of the kinds and sizes that the field takes. */
@Injectable()
export class FileFieldReferences implements OnModuleInit {
  constructor(
    private readonly rows: ReadableFileRows,
    private readonly references: FormReferences,
    private readonly readable: ReadableFiles,
  ) {}

  onModuleInit(): void {
    this.references.register('file', { findMisfits: (questions, asker) => this.misfits(questions, asker) });
  }

  private async misfits(questions: readonly ReferenceQuestion[], { actor }: ReferenceAsker): Promise<readonly (string | null)[]> {
    const open = actor ? this.readable.readableCondition(actor, KINDS) : sql`true`;
    const rows = await this.rows.findReferredFiles(
      questions.map(({ id }) => id),
      open,
    );
    const known = new Map(rows.map((row) => [row.file_id, row]));
    return questions.map(({ id, settings }) => misfitOf(known.get(id), settings));
  }
}

function misfitOf(file: ReferredFile | undefined, { kinds, max_size }: JsonObject): string | null {
  if (!file) return UNKNOWN;
  if (Array.isArray(kinds) && !kinds.includes(file.file_kind)) return `accepts only files of these kinds: ${kinds.join(', ')}.`;
  if (typeof max_size === 'number' && (file.file_size ?? 0) > max_size) return `accepts only files of at most ${max_size} bytes.`;
  return null;
}
