import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MediaFacts, type PublicationOfFile } from '@atrium/media';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Reports to the media library how a file is published: the latest publication of it. */
@Injectable()
export class PublicationsOfFiles implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly facts: MediaFacts,
  ) {}

  onModuleInit(): void {
    this.facts.register('publication', async (_, { file_id }) => (await this.latest(file_id)) ?? null);
  }

  private latest(file_id: string): Promise<PublicationOfFile | undefined> {
    return this.db.current().first<PublicationOfFile & Record<string, unknown>>(
      sql`SELECT pub_id, pub_state, pub_version, pub_url, pub_start, pub_end FROM publication
          WHERE tenant_id = ${requireScope().tenant_id} AND pub_file = ${file_id}::uuid ORDER BY pub_created DESC, pub_id DESC LIMIT 1`,
    );
  }
}
