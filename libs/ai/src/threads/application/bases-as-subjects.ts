import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NamedBases } from '@atrium/knowledge';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { SubjectReaders, type SubjectReader, type SubjectText } from './subject-readers';

/** Knowledge bases as subjects of threads: what they are called; what is in them is searched, not read as a whole. */
@Injectable()
export class BasesAsSubjects implements SubjectReader, OnModuleInit {
  readonly type = 'ds' as const;

  constructor(
    private readonly db: Database,
    private readonly subjects: SubjectReaders,
    private readonly bases: NamedBases,
  ) {}

  onModuleInit(): void {
    this.subjects.register(this);
  }

  findNames(actor: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.bases.findReadableNames(actor, ids);
  }

  async readText(actor: Principal, id: string): Promise<SubjectText | null> {
    const name = await this.db.read(async () => (await this.findNames(actor, [id])).get(id));
    return name === undefined ? null : { name, text: name };
  }
}
