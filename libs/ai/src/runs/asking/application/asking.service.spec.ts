import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { Attachments } from '../../../threads/application/attachments';
import type { MessageReader } from '../../../threads/application/message-reader';
import type { MessageWriter } from '../../../threads/application/message-writer';
import type { ThreadAccess } from '../../../threads/application/thread-access';
import type { MessagesRepository } from '../../../threads/infrastructure/messages.repository';
import type { RunStops } from '../../records/application/run-stops';
import type { RunNotifier } from '../../records/application/run-notifier';
import type { RunsRepository } from '../../records/infrastructure/runs.repository';
import type { LockRow, ThreadLocksRepository } from '../../records/infrastructure/thread-locks.repository';
import { AskingService, type NewQuestion } from './asking.service';
import type { RunPlanner, RunWish } from './run-planner';
import type { Asked, RunStarter } from './run-starter';

const ANN = { user_id: 'ann' } as Principal;
const [FILE, OTHER] = ['file-1', 'file-2'];

interface Facts {
  /** Runs that answer in the thread, one after the other, each until it is stopped. */
  readonly busy?: readonly string[];
  /** Another question takes the lock of the thread in between. */
  readonly isOvertaken?: boolean;
  /** Whether the answer comes in its time. */
  readonly comes?: boolean;
  readonly rows?: Readonly<Record<string, object>>;
}

/** The questions of one thread: what is done with them, in its order. */
function askingIn({ busy = [], isOvertaken = false, comes = true, rows = {} }: Facts = {}) {
  const done: string[] = [];
  const plans: RunWish[] = [];
  const asked: Asked[] = [];
  const answering = [...busy];
  const note = <T>(what: string, result: T): Promise<T> => {
    done.push(what);
    return Promise.resolve(result);
  };
  const thread = () => ({
    thread_id: 't1',
    isBusy: answering.length > 0,
    thread_run: answering[0] ?? null,
    assertOpen: () => undefined,
  });
  const access = { lockThread: () => note('thread', thread()) };
  const writer = {
    writeMessage: (_: unknown, { role, files = [], ...facts }: { role: string; files?: readonly string[]; parent?: string }) =>
      note([role, ...files, ...(facts.parent ? [`below ${facts.parent}`] : [])].join(' '), {
        msg_id: role,
        msg_thread: 't1',
        msg_text: 'What?',
      }),
  };
  const reader = {
    requireMessage: (_: string, msg_id: string) => Promise.resolve({ msg_id, msg_thread: 't1', ...rows[msg_id] }),
    viewMessage: (_: Principal, row: object) => Promise.resolve({ ...row, row_version: 1 }),
    viewPair: () => Promise.resolve([{ msg_id: 'user' }, { msg_id: 'assistant', msg_thread: 't1' }]),
  };
  const planner: Partial<RunPlanner> = {
    planRun: (_, __, wish) => {
      plans.push(wish);
      return note('plan', { agent: { agent_id: 'a1' }, model_id: 'm', plan: { prompt_id: null } } as never);
    },
  };
  const starter: Partial<RunStarter> = {
    nextId: () => 'r1',
    startRun: (_, __, question) => {
      asked.push(question);
      return note('run', { run_id: 'r1' } as never);
    },
  };
  const stops: Partial<RunStops> = {
    endRun: (run_id) => note(`${run_id} is stopped`, void answering.shift()),
    awaitEnd: (_, ms) => note(`waits ${ms} ms`, comes),
  };
  const locks: Partial<ThreadLocksRepository> = {
    acquireThread: () => note('lock', isOvertaken || answering.length > 0 ? undefined : ({} as LockRow)),
  };
  const notifier: Partial<RunNotifier> = {
    emitEvent: (_, { kind }) => note(`event ${kind}`, null),
    viewMessage: () => Promise.resolve({} as never),
    announceStart: (_, __, question) => note(question ? 'events of both' : 'event of the lock', undefined),
  };
  const service = new AskingService(
    { read: (work: () => unknown) => work(), write: (work: () => unknown) => work() } as unknown as Database,
    access as unknown as ThreadAccess,
    writer as unknown as MessageWriter,
    reader as unknown as MessageReader,
    {
      findPromptTerms: (id: string) => Promise.resolve((rows[id] as { terms?: object } | undefined)?.terms ?? null),
    } as unknown as MessagesRepository,
    { assertReadable: () => note('attachments', undefined) } as Partial<Attachments> as Attachments,
    planner as RunPlanner,
    starter as RunStarter,
    stops as RunStops,
    { findRunRow: () => Promise.resolve({ run_id: 'r1', run_status: 'queued' } as never) } as Partial<RunsRepository> as RunsRepository,
    locks as ThreadLocksRepository,
    notifier as RunNotifier,
  );
  return { service, done, plans, asked, ask: (question: NewQuestion) => service.askQuestion(ANN, 't1', question) };
}

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'asked',
    (error: unknown) => (error instanceof Problem ? (error.errors?.[0]?.path ?? error.code) : error),
  );

describe('a question', () => {
  it('is written with its answer and its run, and takes the lock of the thread last, when nothing can refuse it any more', async () => {
    const { ask, done, asked } = askingIn();
    expect(await ask({ msg_text: 'What?' })).toMatchObject({ user_message: { msg_id: 'user' }, run: { run_id: 'r1' } });
    expect(done).toEqual(['thread', 'attachments', 'plan', 'user', 'assistant below user', 'run', 'lock', 'events of both']);
    expect(asked).toEqual([{ run_id: 'r1', thread_id: 't1', msg_id: 'assistant', input: null, text: 'What?' }]);
  });

  it('that nobody is to answer is a message alone', async () => {
    const { ask, done } = askingIn();
    expect(await ask({ msg_text: 'What?', run_options: { run: false } })).toMatchObject({ assistant_message: null, run: null });
    expect(done).toEqual(['thread', 'attachments', 'user', 'event user_message']);
  });

  it('brings each file once, whether it is attached or part of the text', async () => {
    const { ask, done } = askingIn();
    await ask({ msg_parts: [{ kind: 'file', file_id: FILE }], msg_files: [FILE.toUpperCase(), OTHER] });
    expect(done).toContain(`user ${FILE} ${OTHER}`);
  });

  it.each<[string, NewQuestion, string]>([
    ['says nothing', { msg_text: ' ' }, 'msg_text'],
    ['has empty parts', { msg_parts: [{ kind: 'text', text: '' }] }, 'msg_parts'],
    ['is said twice', { msg_text: 'What?', msg_parts: [{ kind: 'text', text: 'What?' }] }, 'msg_parts'],
    ['brings too many files', { msg_text: 'What?', msg_files: Array.from({ length: 21 }, (_, at) => `f${at}`) }, 'msg_files'],
  ])('is refused where it %s', async (_, question, path) => {
    const { ask, done } = askingIn();
    const fault = await faultOf(Promise.resolve().then(() => ask(question)));
    expect([fault, done]).toEqual([path, []]);
  });

  it('may be a file alone', async () => {
    expect(await faultOf(askingIn().ask({ msg_files: [FILE] }))).toBe('asked');
  });
});

describe('a question in a thread that is being answered', () => {
  it('is refused, with the time after which to ask again', async () => {
    const { ask, done } = askingIn({ busy: ['r0'] });
    await expect(ask({ msg_text: 'What?' })).rejects.toMatchObject({ code: 'invalid_state', headers: { 'Retry-After': '2' } });
    expect(done).not.toContain('assistant below user');
  });

  it('stops what answers there and is asked again, as often as another one comes first', async () => {
    const { ask, done } = askingIn({ busy: ['r0', 'r00'] });
    await ask({ msg_text: 'What?', run_options: { on_busy: 'interrupt' } });
    expect(done.filter((entry) => /stopped|lock$/.test(entry))).toEqual(['lock', 'r0 is stopped', 'lock', 'r00 is stopped', 'lock']);
  });

  it('is refused where another one took the lock in between, and no run is known that could be stopped', async () => {
    for (const on_busy of ['reject', 'interrupt'] as const)
      expect(await faultOf(askingIn({ isOvertaken: true }).ask({ msg_text: 'What?', run_options: { on_busy } }))).toBe('invalid_state');
  });
});

describe('the wait for an answer', () => {
  it.each([
    [10, 10_000],
    [99, 60_000],
  ])('of %i seconds takes %i ms at most', async (wait, ms) => {
    const { ask, done } = askingIn();
    expect(await ask({ msg_text: 'What?', run_options: { wait } })).toMatchObject({ run: { run_id: 'r1' } });
    expect(done.at(-1)).toBe(`waits ${ms} ms`);
  });

  it('brings what was written where the answer does not come in that time', async () => {
    const { ask } = askingIn({ comes: false });
    expect(await ask({ msg_text: 'What?', run_options: { wait: 1 } })).toMatchObject({ assistant_message: { msg_id: 'assistant' } });
  });
});

describe('another answer', () => {
  const rows = {
    q1: { msg_role: 'user', msg_parent: null, msg_prompt: 'p1', terms: { model_id: 'm2' } },
    a1: { msg_role: 'assistant', msg_parent: 'q1' },
    s1: { msg_role: 'system', msg_parent: null },
  };

  it.each(['q1', 'a1'])('of %s is written below the question, with what its prompt brings', async (msg_id) => {
    const { service, done, plans } = askingIn({ rows });
    await service.regenerateAnswer(ANN, 't1', msg_id, { max_steps: 2 });
    expect(done).toEqual(['thread', 'plan', 'assistant below q1', 'run', 'lock', 'event of the lock']);
    expect(plans).toEqual([{ max_steps: 2, prompt: { model_id: 'm2', prompt_id: 'p1' } }]);
  });

  it('is made of questions and answers alone', async () => {
    expect(await faultOf(askingIn({ rows }).service.regenerateAnswer(ANN, 't1', 's1', {}))).toBe('invalid_state');
  });
});
