import { FileView, ListLibrary } from '@atrium/files';
import { Choice, Flag, Json, Nested, NestedList, Ref, Text, Whole, Decimal } from '@atrium/platform/database';
import { acceptParameter, Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { Thread, type ThreadType } from '../domain/thread';
import { THREAD_LEVELS, type ThreadLevel } from '../domain/thread-level';
import { ThreadMember } from '../domain/thread-member';
import { MESSAGE_ROLES } from '../domain/message';

const ACL = {
  about:
    'Access list of the thread in addition to its owner: `{users, roles, spaces}`, each with view, edit or owner by id; at most 100 entries. Unlike other access lists, an empty one gives no one access. Answers that use memories remain visible only to the person who asked.',
  example: { users: { '0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e0f': 'edit' } },
};

class ThreadSharing {
  @Json({ ...ACL, omittable: true }) thread_acl?: JsonObject;
}

class NewThreadFields extends ThreadSharing {
  @Ref({ about: 'Id of your choice: a UUID of version 4 or 7.' }) thread_id!: string;
  @Choice(['chat', 'context'], {
    omittable: true,
    about: 'Type of the thread; when omitted, the type of the agent. `context` requires `thread_ref`.',
  })
  thread_type?: ThreadType;
  @Text({
    omittable: true,
    max: 64,
    about:
      'Your own id (that of another member with `admin:users`), or digits: an id of your own, stored as `thread_metadata.external_user`.',
    example: '12345',
  })
  thread_user?: string;
}

/** Body of POST /threads. */
export class CreateThread extends Body(Thread, {
  optional: ['thread_title', 'thread_ref', 'thread_agent', 'thread_space', 'thread_share_mode', 'thread_active'],
  with: NewThreadFields,
}) {}

class ChangedThreadFields extends ThreadSharing {
  @Ref({ omittable: true, about: 'Id of the new owner: a member who can view threads. The former owner keeps edit access.' })
  thread_user?: string;
}

/** Body of PATCH /threads/{id}. */
export class ChangeThread extends Body(Thread, {
  optional: [
    'thread_title',
    'thread_status',
    'thread_active',
    'thread_agent',
    'thread_space',
    'thread_share_mode',
    'thread_metadata',
    'thread_memory',
  ],
  with: ChangedThreadFields,
}) {}

/** Body of POST /threads/find-or-create. */
@Accepts()
export class SeekThread {
  @Json({ about: 'Subject: `{type, id}`.', example: { type: 'ds', id: '0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e0f' } }) thread_ref!: JsonObject;
  @Ref({ optional: true, about: 'Id of the agent; null for the default agent.' }) thread_agent?: string | null;
  @Ref({ optional: true, about: 'Id of the space, if a thread is created.' }) thread_space?: string | null;
  @Text({ optional: true, max: 255, about: 'Title, if a thread is created.' }) thread_title?: string | null;
}

@Answer()
export class ThreadView extends View(Thread) {
  @Ref({ optional: true, about: 'Id of the agent, same as `thread_agent`.' }) agent_id!: string | null;
  @Text({ optional: true, about: 'Name of the agent.', example: 'Assistant' }) agent_name!: string | null;
  @Text({ optional: true, about: 'Icon of the agent.', example: '💬' }) agent_icon!: string | null;
  @Flag({ optional: true, about: 'Whether the agent is active.' }) agent_active!: boolean | null;
  @Ref({ optional: true, about: 'Id of the prompt that was last run.' }) prompt_id!: string | null;
  @Text({ optional: true, about: 'Name of the prompt.' }) prompt_name!: string | null;
}

@Answer()
export class ThreadDetail extends ThreadView {
  @Json(ACL) override thread_acl!: JsonObject;
  @Text({
    optional: true,
    max: 32_000,
    about: 'Text of the subject as last read for an answer; null if you cannot view the subject.',
  })
  override thread_context!: string | null;
  @Text({ optional: true, about: 'Name of the subject; null if you cannot view it.' }) thread_ref_name!: string | null;
  @Choice(THREAD_LEVELS, { about: 'Your access level for the thread.', example: 'owner' }) thread_access!: ThreadLevel;
  @Whole({ about: 'Number of messages waiting for an answer.', example: 0 }) thread_queue_length!: number;
  @Whole({ about: 'The owner and the members in the access list.', example: 1 }) thread_member_count!: number;
}

export class ThreadPage extends PageOf(ThreadView) {}

/** Query of GET /threads. */
export class ListThreads extends ListQuery(Thread) {
  thread_ids?: Record<string, string>;
  full_text_search?: string;
}
acceptParameter(
  ListThreads,
  { name: 'thread_ids', kind: 'json' },
  {
    type: 'object',
    additionalProperties: { type: 'string', format: 'uuid' },
    description: 'Only these threads, at most 200: `thread_ids[a]=…&thread_ids[b]=…`.',
  },
);
const WORDS = { type: 'string', minLength: 1, maxLength: 200, description: 'Words in the title or a message.' } as const;
acceptParameter(ListThreads, { name: 'full_text_search', kind: 'text', min: 1, max: 200 }, WORDS);

/** Query of GET /threads/search. */
export class SearchThreads {
  q!: string;
  mode?: 'text' | 'meaning';
  thread_agent?: string;
  thread_space?: string;
  msg_role?: string;
  created?: Date[];
  cursor?: string;
  limit?: number;
}
acceptParameter(
  SearchThreads,
  { name: 'q', kind: 'text', min: 2, max: 200 },
  {
    type: 'string',
    minLength: 2,
    maxLength: 200,
    description: 'Search text: words, `"…"` for phrases, `-` to exclude words.',
  },
  true,
);
acceptParameter(
  SearchThreads,
  { name: 'mode', kind: 'choice', values: ['text', 'meaning'] },
  { type: 'string', enum: ['text', 'meaning'], default: 'text', description: 'Search mode. Currently, `meaning` also searches by words.' },
);
acceptParameter(
  SearchThreads,
  { name: 'thread_agent', kind: 'id' },
  { type: 'string', format: 'uuid', description: 'Only threads with this agent.' },
);
acceptParameter(
  SearchThreads,
  { name: 'thread_space', kind: 'id' },
  { type: 'string', format: 'uuid', description: 'Only threads of this space.' },
);
acceptParameter(
  SearchThreads,
  { name: 'msg_role', kind: 'choice', values: MESSAGE_ROLES },
  { type: 'string', enum: [...MESSAGE_ROLES], description: 'Only messages by these authors.' },
);
acceptParameter(
  SearchThreads,
  { name: 'created', kind: 'stamp', filter: 'range' },
  {
    type: 'array',
    items: { type: 'string', format: 'date-time' },
    maxItems: 2,
    description: 'When the message was written. One value: from that time on. Two values: an inclusive range.',
  },
);
acceptParameter(
  SearchThreads,
  { name: 'cursor', kind: 'text', max: 100_000 },
  { type: 'string', maxLength: 512, description: '`next_cursor` of the previous page.' },
);
acceptParameter(
  SearchThreads,
  { name: 'limit', kind: 'whole', min: 1 },
  { type: 'integer', minimum: 1, maximum: 200, default: 20, description: 'Maximum number of threads on a page.' },
);

@Answer()
class MatchView {
  @Whole({ about: 'Start of the match, in UTF-16 code units.', example: 12 }) start!: number;
  @Whole({ about: 'End of the match, in UTF-16 code units.', example: 17 }) end!: number;
}

@Answer()
class SnippetView {
  @Text({ max: 300, about: 'Plain text.', example: 'How do I change the toner?' }) text!: string;
  @NestedList(() => MatchView, { about: 'Positions of the search words in the text.' }) matches!: MatchView[];
}

@Answer()
class FoundThreadView {
  @Nested(() => ThreadView, { about: 'The thread.' }) thread!: ThreadView;
  @Ref({ optional: true, about: 'Id of the best matching message; null if the title matches best.' }) msg_id!: string | null;
  @Nested(() => SnippetView, { about: 'The matching text.' }) snippet!: SnippetView;
  @Decimal({ about: 'Relevance of the match; higher is better.', example: 0.0759 }) rank!: number;
}

export class FoundThreadPage extends PageOf(FoundThreadView) {}

@Answer()
export class MemberView extends View(ThreadMember) {}

export class MemberPage extends PageOf(MemberView) {}

/** Query of GET /threads/{id}/members. */
export class ListThreadMembers extends ListQuery(ThreadMember, { whole: true }) {}

/** Body of POST /threads/{id}/members. */
export class AddMember extends Body(ThreadMember, { required: ['member_type', 'member_id', 'member_level'] }) {}

/** Body of PUT /threads/{id}/leaf. */
@Accepts()
export class SelectLeaf {
  @Ref({ about: 'Id of a message in the branch to show and continue.' }) msg_id!: string;
}

@Answer()
class ThreadFileView extends FileView {}
export class ThreadFilePage extends PageOf(ThreadFileView) {}

/** Query of GET /threads/{id}/files. */
export class ListThreadFiles extends ListLibrary {
  repo_id?: string;
  repo_type?: 'thread';
}
acceptParameter(
  ListThreadFiles,
  { name: 'repo_id', kind: 'id' },
  { type: 'string', format: 'uuid', description: 'Id of the thread, as in the path.' },
);
acceptParameter(
  ListThreadFiles,
  { name: 'repo_type', kind: 'choice', values: ['thread'] },
  { type: 'string', enum: ['thread'], description: 'Must be `thread`.' },
);
