import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { FileQueries } from './file-queries';

/** One place where a file is used. */
export interface FileReference {
  /** Kind of the place: album, design, publication, share_link, … */
  readonly ref_type: string;
  readonly ref_id: string;
  readonly ref_name: string;
  readonly ref_detail: string | null;
  /** The file cannot be removed for good while it is used there. */
  readonly ref_blocking: boolean;
}

/** Names a place among those of one file. */
export const referenceKey = ({ ref_type, ref_id, ref_detail }: FileReference): string =>
  `${ref_type} ${ref_id} ${(ref_detail ?? '').slice(0, 32)}`;

/** What one context knows: the places the caller may read, and how many of each kind it may not. */
export interface KnownReferences {
  readonly data: readonly FileReference[];
  readonly hidden: number;
  /** How many of the hidden ones are of each kind, where a preview counts them by kind. */
  readonly hidden_kinds?: Readonly<Record<string, number>>;
}

/** Port for contexts that use files: register one at start. Called within a unit of work. */
export interface FileReferenceSource {
  referencesTo(caller: Principal, fileId: string): Promise<KnownReferences>;
}

/** Where a file is used, gathered from every context of this installation. */
@Injectable()
export class FileReferences {
  private readonly sources: FileReferenceSource[] = [];

  constructor(
    private readonly db: Database,
    private readonly queries: FileQueries,
  ) {}

  register(source: FileReferenceSource): void {
    this.sources.push(source);
  }

  /** The places of a file the caller may see. */
  findReferences(caller: Principal, fileId: string): Promise<KnownReferences> {
    return this.db.read(async () => {
      await this.queries.getFile(caller, fileId);
      const { data, hidden } = await this.gatherReferences(caller, fileId);
      return { data, hidden };
    });
  }

  async gatherReferences(caller: Principal, fileId: string): Promise<KnownReferences> {
    const known: KnownReferences[] = [];
    for (const source of this.sources) known.push(await source.referencesTo(caller, fileId));
    const hidden_kinds: Record<string, number> = {};
    for (const [kind, count] of known.flatMap((one) => Object.entries(one.hidden_kinds ?? {})))
      hidden_kinds[kind] = (hidden_kinds[kind] ?? 0) + count;
    return { data: known.flatMap(({ data }) => data), hidden: known.reduce((sum, { hidden }) => sum + hidden, 0), hidden_kinds };
  }
}
