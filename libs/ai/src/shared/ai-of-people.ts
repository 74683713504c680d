import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { VectorIndex } from '@atrium/retrieval';

const AUTHOR = 'Agents, prompts and spaces belong to the workspace; who made one stays known by an id that names nobody any more.';
const MANAGER = 'It names an extension or the platform, never a person.';
const OWN = 'It is about this person alone.';
const TALKED = 'A conversation that others take part in keeps its course; who said what stays known by an id that names nobody any more.';
const MEMBER = 'A former member is in no space.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class AiOfPeople {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly vectors: VectorIndex,
  ) {
    sources.register({
      context: 'ai',
      order: 40,
      tables: [
        { table: 'agent', column: 'agent_user', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'agent_revision', column: 'rev_user', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'prompt', column: 'prompt_user', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'prompt_revision', column: 'rev_user', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'wildcard', column: 'wildcard_managed_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: MANAGER },
        { table: 'space', column: 'space_user', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'space_member', column: 'sm_principal', subject: 'user', on_erase: 'delete', because: MEMBER },
        { table: 'space_member', column: 'sm_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'memory', column: 'mem_user', subject: 'user', on_erase: 'delete', because: OWN, hidden: ['mem_hash'] },
        { table: 'thread', column: 'thread_user', subject: 'user', on_erase: 'keep', tells: 'mark', because: TALKED },
        { table: 'thread', column: 'thread_generating_for', subject: 'user', on_erase: 'keep', tells: 'mark', because: TALKED },
        { table: 'thread_grant', column: 'grant_to', subject: 'user', on_erase: 'delete', because: MEMBER },
        { table: 'thread_presence', column: 'user_id', subject: 'user', on_erase: 'delete', because: OWN },
        { table: 'message', column: 'msg_user', subject: 'user', on_erase: 'keep', tells: 'mark', because: TALKED },
        { table: 'run', column: 'run_user', subject: 'user', on_erase: 'keep', tells: 'mark', because: TALKED, hidden: ['run_hold'] },
        { table: 'run_tool_call', column: 'decided_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: TALKED },
      ],
      own: { memory: { erase: ({ user_id }) => (user_id === null ? Promise.resolve(0) : this.forget(user_id)) } },
    });
  }

  /** What searches by meaning know of a memory goes with it. */
  private forget(user_id: string): Promise<number> {
    return this.db.write(async (tx) => {
      const gone = await tx.query<{ mem_id: string }>(
        sql`DELETE FROM memory WHERE tenant_id = ${requireScope().tenant_id} AND mem_user = ${user_id}::uuid RETURNING mem_id`,
      );
      if (gone.length > 0)
        await this.vectors.remove(
          'memory',
          gone.map(({ mem_id }) => mem_id),
        );
      return gone.length;
    });
  }
}
