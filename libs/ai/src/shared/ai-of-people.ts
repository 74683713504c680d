import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';
import { raw, type Sql, sql } from '@atrium/platform/database';
import { HOLD_OF_THREAD, holdOfRun, holdOfTalks, holdOfThreadWith } from './thread-holds';

const AUTHOR =
  'Agents, prompts and spaces belong to the workspace. The id of the person who created one remains, but no longer identifies anyone.';
const MANAGER = 'The name of an extension or the platform, never of a person.';
const OWN = 'Concerns only this person.';
const WORDS = 'Revisions contain what the person wrote.';
const TALKED =
  'A conversation in which others take part, or that is under a legal hold, is kept without the address and the name. The id of the person who wrote a message remains, but no longer identifies anyone.';
const MEMBER = 'A former member is not a member of any space.';

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
        space_member: 'The role of the person in a space, by ids.',
        thread: 'Threads that only the person owns are complete, and owners can always read their threads.',
        thread_grant: 'The access of the person to a thread, by ids.',
        thread_presence: OWN,
      },
      stays: {
        'prompt_wildcard.pw_key': 'The key of a wildcard, which consists of letters and cannot be an address or a name with several words.',
        'run_tool_call.call_id': 'An id that a model assigned to a tool call.',
      },
    });
    sources.registerHold('thread', () => HOLD_OF_THREAD);
    sources.registerHold('message', () => holdOfThreadWith(sql`r.msg_thread`));
    sources.registerHold('run', () => holdOfRun(sql`r.run_thread`, sql`r.run_user`));
    for (const table of ['run_step', 'run_tool_call']) sources.registerHold(table, () => holdOfRun(ofRun('run_thread'), ofRun('run_user')));
    sources.registerHold('memory_forgotten', () => holdOfTalks(sql`r.mem_user`));
  }
}

const ofRun = (column: string): Sql =>
  sql`(SELECT ${raw(`hr.${column}`)} FROM run hr WHERE hr.tenant_id = r.tenant_id AND hr.run_id = r.run_id)`;
