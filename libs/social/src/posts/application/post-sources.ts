import { Injectable } from '@nestjs/common';
import { SubjectReaders } from '@atrium/ai';
import type { Principal } from '@atrium/platform/access';
import { invalidField, unknownReference } from '@atrium/platform/kernel';
import type { PostSource } from '../domain/post-parts';

const PATH = 'sp_source.ref';
const NOUNS = { file: 'file', node: 'page', design: 'design' } as const;

/** What a post was made from, as far as its author may read it. Within a unit of work. */
@Injectable()
export class PostSources {
  constructor(private readonly subjects: SubjectReaders) {}

  async requireSource(caller: Principal, { kind, ref }: PostSource): Promise<PostSource> {
    if (kind === 'manual') {
      if (ref !== null) throw invalidField(PATH, 'must be null for manual posts', 'invalid');
      return { kind, ref };
    }
    if (ref === null) throw invalidField(PATH, `must be the id of a ${NOUNS[kind]}`, 'required');
    const id = ref.toLowerCase();
    if ((await this.subjects.findSubjectName(caller, { type: kind, id })) === null) throw unknownReference(PATH, NOUNS[kind]);
    return { kind, ref: id };
  }
}
