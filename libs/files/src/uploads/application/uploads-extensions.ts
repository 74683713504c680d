import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { invalidField, type JsonObject } from '@atrium/platform/kernel';
import type { File } from '../../core/domain/file';
import type { Repository } from '../../core/domain/repositories';
import type { Upload } from '../domain/upload';

/** What an upload may carry for the context above that owns the library. */
export interface UploadExtras {
  readonly album_ids: readonly string[];
  /** Values by the name of their group. */
  readonly media_tags: MediaTags;
}

export type MediaTags = Readonly<Record<string, readonly string[]>>;

const MOST_GROUPS = 50;
const MOST_VALUES = 100;
const MOST_CHARACTERS = 200;

/** The tags a client sent: lists of values by the names of their groups. Which of them there are is for the library to say. */
export function readMediaTags(sent: JsonObject | undefined): MediaTags {
  const groups = Object.entries(sent ?? {});
  if (groups.length > MOST_GROUPS) throw invalidField('media_tags', `must name at most ${MOST_GROUPS} groups`, 'too_many');
  return Object.fromEntries(groups.map(([group, values]) => [group, readValues(group, values)]));
}

function readValues(group: string, values: unknown): readonly string[] {
  const path = `media_tags.${group}`.slice(0, MOST_CHARACTERS);
  if (group.length > MOST_CHARACTERS) throw invalidField(path, `must have at most ${MOST_CHARACTERS} characters`, 'too_long');
  if (!Array.isArray(values) || !values.every((value): value is string => typeof value === 'string'))
    throw invalidField(path, 'must be a list of values', 'array');
  if (values.length > MOST_VALUES) throw invalidField(path, `must have at most ${MOST_VALUES} items`, 'too_many');
  if (values.some((value) => value.trim() === '' || value.length > MOST_CHARACTERS))
    throw invalidField(path, `must contain values of 1 to ${MOST_CHARACTERS} characters`, 'length');
  return values;
}

/** Port of the context that knows the extras (the media library): it registers one for each kind of them, at start. */
export interface UploadExtension {
  /** Refuses extras that could not be applied; called within the unit of work that opens the upload. */
  validateExtras(caller: Principal, repository: Repository, extras: UploadExtras): Promise<void>;
  /** Applies them to the new file, within the unit of work that makes it; what is gone in the meantime is passed over. */
  applyExtras(caller: Principal, file: File, extras: UploadExtras): Promise<void>;
}

/** Port for contexts that keep rows about uploads: called within the unit of work in which an upload ends. */
export interface UploadWatcher {
  onFinalized(upload: Upload, file_id: string): Promise<void>;
  /** It was aborted, rejected or lapsed. */
  onEnded(upload: Upload): Promise<void>;
}

/** The extensions known to this process, without which no extras are accepted, and the watchers of uploads. */
@Injectable()
export class UploadExtensions {
  private readonly extensions: UploadExtension[] = [];
  private readonly watchers: UploadWatcher[] = [];

  register(extension: UploadExtension): void {
    this.extensions.push(extension);
  }

  addWatcher(watcher: UploadWatcher): void {
    this.watchers.push(watcher);
  }

  async notifyFinalized(upload: Upload, file_id: string): Promise<void> {
    for (const watcher of this.watchers) await watcher.onFinalized(upload, file_id);
  }

  async notifyEnded(upload: Upload): Promise<void> {
    for (const watcher of this.watchers) await watcher.onEnded(upload);
  }

  async validateExtras(caller: Principal, repository: Repository, extras: UploadExtras): Promise<void> {
    const [first] = named(extras);
    if (!first) return;
    if (repository.type !== 'media' || this.extensions.length === 0)
      throw invalidField(first, 'is allowed only for files of the media library', 'not_applicable');
    for (const extension of this.extensions) await extension.validateExtras(caller, repository, extras);
  }

  async applyExtras(caller: Principal, file: File, extras: UploadExtras): Promise<void> {
    if (named(extras).length === 0) return;
    for (const extension of this.extensions) await extension.applyExtras(caller, file, extras);
  }
}

/** The fields by which a client sent extras. */
const named = ({ album_ids, media_tags }: UploadExtras): string[] => [
  ...(album_ids.length > 0 ? ['album_ids'] : []),
  ...(Object.keys(media_tags).length > 0 ? ['media_tags'] : []),
];
