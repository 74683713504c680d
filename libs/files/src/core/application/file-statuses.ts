import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { invalidState } from '@atrium/platform/kernel';
import type { Repository } from '../domain/repositories';

/** A file as far as its status decides what may be done with it. */
export interface FileInStatus {
  readonly file_id: string;
  readonly repo_type: string;
  readonly file_status: string;
}

/** Reasons by the id of the file: a sentence each. */
export type StatusReasons = ReadonlyMap<string, string>;

/** Port of the context that keeps status flows; it registers at start, and is asked within units of work. */
export interface StatusRules {
  /** The status of a file that comes into the repository. */
  getInitialStatus(repository: Repository): Promise<string>;
  /** Files whose record, tags and versions may not be changed now. */
  findLocked(files: readonly FileInStatus[]): Promise<StatusReasons>;
  /** Files whose bytes may not be handed to the caller now. */
  findBarred(caller: Principal, files: readonly FileInStatus[]): Promise<StatusReasons>;
}

const NONE: StatusReasons = new Map();
const WITHOUT_FLOWS = 'active';

/** What the status of a file means here. Without status flows every file is active and nothing is held back. */
@Injectable()
export class FileStatuses {
  private rules: StatusRules | undefined;

  register(rules: StatusRules): void {
    if (this.rules) throw new Error('Two contexts want to decide by the status of files.');
    this.rules = rules;
  }

  async getInitialStatus(repository: Repository): Promise<string> {
    return (await this.rules?.getInitialStatus(repository)) ?? WITHOUT_FLOWS;
  }

  async findLocked(files: readonly FileInStatus[]): Promise<StatusReasons> {
    return files.length > 0 && this.rules ? this.rules.findLocked(files) : NONE;
  }

  async findBarred(caller: Principal, files: readonly FileInStatus[]): Promise<StatusReasons> {
    return files.length > 0 && this.rules ? this.rules.findBarred(caller, files) : NONE;
  }

  /** Before the record, the tags or the versions of the file change. */
  async assertEditable(file: FileInStatus): Promise<void> {
    const reason = (await this.findLocked([file])).get(file.file_id);
    if (reason !== undefined) throw invalidState(reason);
  }

  /** Before bytes of the file leave. */
  async assertDownloadable(caller: Principal, file: FileInStatus): Promise<void> {
    const reason = (await this.findBarred(caller, [file])).get(file.file_id);
    if (reason !== undefined) throw invalidState(reason);
  }
}
