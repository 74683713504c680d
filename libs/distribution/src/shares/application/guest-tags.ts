import { Injectable } from '@nestjs/common';
import { UploadExtensions, type MediaTags } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { invalidFields, Problem, type FieldFault } from '@atrium/platform/kernel';

/** Tags that files from outside get, as links and guests write them: `Group:Value`. Which ones there are is for the media library to say. */
@Injectable()
export class GuestTags {
  constructor(private readonly extensions: UploadExtensions) {}

  /** Values by the names of their groups; 400 for what is no tag. */
  readTags(tags: readonly string[], path: string): MediaTags {
    const faults = tags.flatMap((tag, at): FieldFault[] =>
      isTag(tag) ? [] : [{ path: `${path}[${at}]`, code: 'pattern', message: 'must be a tag such as Group:Value' }],
    );
    if (faults.length > 0) throw invalidFields(faults);
    const groups = new Map<string, string[]>();
    for (const tag of tags) {
      const [group, value] = halves(tag);
      groups.set(group, [...(groups.get(group) ?? []), value]);
    }
    return Object.fromEntries(groups);
  }

  /** Refuses tags that the media library would not take from this member. */
  async assertGood(member: Principal, tags: readonly string[], path: string): Promise<void> {
    if (tags.length === 0) return;
    const media_tags = this.readTags(tags, path);
    try {
      await this.extensions.validateExtras(member, { type: 'media', id: null }, { album_ids: [], media_tags });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
      throw invalidFields((error.errors ?? []).map((fault) => ({ ...fault, path })));
    }
  }
}

function halves(tag: string): [string, string] {
  const at = tag.indexOf(':');
  return [tag.slice(0, at).trim(), tag.slice(at + 1).trim()];
}

/** `Group:Value`, both of which say something. */
function isTag(tag: string): boolean {
  const [group = '', ...value] = tag.split(':');
  return group.trim() !== '' && value.join(':').trim() !== '';
}
