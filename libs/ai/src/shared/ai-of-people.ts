import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';
import { raw, type Sql, sql } from '@atrium/platform/database';
import { HOLD_OF_THREAD, holdOfRun, holdOfTalks, holdOfThreadWith } from './thread-holds';

const AUTHOR = 'Agents, prompts and spaces belong to the workspace; who made one stays known by an id that names nobody any more.';
const MANAGER = 'It names an extension or the platform, never a person.';
const OWN = 'It is about this person alone.';
const WORDS = 'Revisions are the words of the person who wrote them.';
const TALKED =
  'A conversation that others take part in, or that a legal hold keeps, keeps its course without the address and the name; who said what stays known by an id that names nobody any more.';
const MEMBER = 'A former member is in no space.';

/** What all areas keep of people: each context registers its columns once. */
@Injectable()
export class AiOfPeople {
  constructor(sources: PersonDataSources) {
    sources.register({
      context: 'ai',
      order: 40,
      tables: [
        {
          table: 'agent',
          column: 'agent_user',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['agent_name_key', 'agent_tsv', 'agent_acl'],
        },
        { table: 'agent_revision', column: 'rev_user', subject: 'user', on_erase: 'keep', because: AUTHOR },
        {
          table: 'prompt',
          column: 'prompt_user',
          subject: 'user',
          on_erase: 'keep',
          because: AUTHOR,
          hidden: ['prompt_name_key', 'prompt_tsv', 'prompt_acl'],
        },
        { table: 'prompt_revision', column: 'rev_user', subject: 'user', on_erase: 'keep', because: AUTHOR },
        { table: 'wildcard', column: 'wildcard_managed_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: MANAGER },
        { table: 'space', column: 'space_user', subject: 'user', on_erase: 'keep', because: AUTHOR, hidden: ['space_name_key'] },
        { table: 'space_member', column: 'sm_principal', subject: 'user', on_erase: 'delete', because: MEMBER },
        { table: 'space_member', column: 'sm_created_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: AUTHOR },
        { table: 'memory', column: 'mem_user', subject: 'user', on_erase: 'delete', because: OWN, hidden: ['mem_hash'] },
        { table: 'memory_forgotten', column: 'mem_user', subject: 'user', on_erase: 'delete', because: OWN },
        {
          table: 'thread',
          column: 'thread_user',
          subject: 'user',
          on_erase: 'keep',
          because: TALKED,
          hidden: ['thread_title_key', 'thread_tsv', 'thread_acl', 'thread_summary'],
        },
        { table: 'thread', column: 'thread_generating_for', subject: 'user', on_erase: 'keep', tells: 'mark', because: TALKED },
        { table: 'thread_grant', column: 'grant_to', subject: 'user', on_erase: 'delete', because: MEMBER },
        { table: 'thread_presence', column: 'user_id', subject: 'user', on_erase: 'delete', because: OWN },
        {
          table: 'message',
          column: 'msg_user',
          subject: 'user',
          on_erase: 'keep',
          because: TALKED,
          hidden: ['msg_tsv', 'msg_prompt_terms'],
        },
        {
          table: 'run',
          column: 'run_user',
          subject: 'user',
          on_erase: 'keep',
          because: TALKED,
          hidden: ['run_hold', 'run_sources', 'run_checkpoint', 'run_reason'],
        },
        { table: 'run_tool_call', column: 'decided_by', subject: 'user', on_erase: 'keep', tells: 'mark', because: TALKED },
      ],
      open: {
        agent_revision: WORDS,
        prompt_revision: WORDS,
        memory: OWN,
        memory_forgotten: OWN,
        space_member: 'It is what the person is in a space, by ids.',
        thread: 'Rows of threads that the person owns alone are whole, and owners read their threads always.',
        thread_grant: 'It is what the person may do in a thread, by ids.',
        thread_presence: OWN,
      },
      stays: {
        'prompt_wildcard.pw_key': 'It is the key of a wildcard, of letters that no address and no name of several words has.',
        'run_tool_call.call_id': 'It is an id that a model gave a call.',
      },
    });
    sources.keeps('thread', () => HOLD_OF_THREAD);
    sources.keeps('message', () => holdOfThreadWith(sql`r.msg_thread`));
    sources.keeps('run', () => holdOfRun(sql`r.run_thread`, sql`r.run_user`));
    for (const table of ['run_step', 'run_tool_call']) sources.keeps(table, () => holdOfRun(ofRun('run_thread'), ofRun('run_user')));
    sources.keeps('memory_forgotten', () => holdOfTalks(sql`r.mem_user`));
  }
}

const ofRun = (column: string): Sql =>
  sql`(SELECT ${raw(`hr.${column}`)} FROM run hr WHERE hr.tenant_id = r.tenant_id AND hr.run_id = r.run_id)`;
