import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { unknownReference } from '@atrium/platform/kernel';
import type { SubjectType, ThreadRef } from '../domain/thread-ref';

/** What a subject is called and what it says. */
export interface SubjectText {
  readonly name: string;
  readonly text: string;
}

/** Port for contexts whose rows threads are about: each registers at start. A subject that the actor may not read is null. */
export interface SubjectReader {
  readonly type: SubjectType;
  /** The names of those among the ids that the actor may read, in one statement; within a unit of work. */
  findNames(actor: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Its text as it is now; outside of a unit of work. */
  readText(actor: Principal, id: string): Promise<SubjectText | null>;
}

/** The subjects that this installation knows; one of a kind that nobody registered is unknown like one that does not exist. */
@Injectable()
export class SubjectReaders {
  private readonly readers = new Map<SubjectType, SubjectReader>();

  register(reader: SubjectReader): void {
    if (this.readers.has(reader.type)) throw new Error(`Two readers are registered for subjects of the kind ${reader.type}.`);
    this.readers.set(reader.type, reader);
  }

  /** What the subject is called; null where the actor may not read it. Within a unit of work. */
  async findSubjectName(actor: Principal, { type, id }: ThreadRef): Promise<string | null> {
    return (await this.readers.get(type)?.findNames(actor, [id]))?.get(id) ?? null;
  }

  async assertReadable(actor: Principal, ref: ThreadRef): Promise<void> {
    if ((await this.findSubjectName(actor, ref)) === null) throw unknownReference('thread_ref.id', 'subject');
  }

  /** Outside of a unit of work. */
  async readText(actor: Principal, { type, id }: ThreadRef): Promise<SubjectText | null> {
    return (await this.readers.get(type)?.readText(actor, id)) ?? null;
  }
}
