import { Injectable } from '@nestjs/common';
import { LISTED_REPO_TYPES, ReadableFiles } from '@atrium/files';
import { KnownMembers } from '@atrium/identity';
import { NamedBases } from '@atrium/knowledge';
import { SharedAlbums } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import type { ChosenRows } from '../domain/control-value';

/** Rows that a value of a prompt names, as the person who runs it may read them. Within a unit of work. */
@Injectable()
export class NamedRows {
  constructor(
    private readonly files: ReadableFiles,
    private readonly bases: NamedBases,
    private readonly albums: SharedAlbums,
    private readonly members: KnownMembers,
  ) {}

  /** What the rows are called, in their order; null where one of them is not there for the caller. */
  async names(caller: Principal, { kind, ids, types }: ChosenRows): Promise<readonly string[] | null> {
    const known = await this.readable(caller, kind, ids, types);
    const names = ids.map((id) => known.get(id));
    return names.includes(undefined) ? null : names.map((name) => name ?? '');
  }

  private async readable(
    caller: Principal,
    kind: ChosenRows['kind'],
    ids: readonly string[],
    types: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (kind === 'knowledge-base') return this.bases.readable(caller, ids);
    if (kind === 'album') return this.albums.readableNames(caller, ids);
    if (kind === 'user') return this.members.names(ids);
    const files = await this.files.among(caller, ids, kind === 'document' ? ['docs'] : LISTED_REPO_TYPES);
    return new Map([...files.values()].filter(({ file_type }) => isOfType(file_type, types)).map((file) => [file.file_id, file.file_name]));
  }
}

const isOfType = (type: string, wanted: readonly string[]): boolean =>
  wanted.length === 0 || wanted.some((one) => (/\/\*?$/.test(one) ? type.startsWith(one.replace(/\*$/, '')) : type === one));
