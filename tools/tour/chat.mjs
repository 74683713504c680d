// npm run tour -- chat ["question"]: a conversation with the agent of the workspace, which answers word by word.
import { randomUUID } from 'node:crypto';
import { say } from '../console/steps.mjs';
import { ApiError } from './api-client.mjs';
import { lineReader } from './line-reader.mjs';
import { followThread } from './thread-events.mjs';

const tty = process.stdin.isTTY === true;
const write = (text) => process.stdout.write(text);

/** Talks until the input ends or a line is empty; with a question, answers that one alone. */
export async function chat(api, { tenant_id }, question) {
  const thread = await api.post('/threads', { thread_id: randomUUID() });
  const events = followThread(api, thread.thread_id);
  const reader = question === undefined ? lineReader({ input: process.stdin, output: process.stdout, terminal: tty }) : askedOnce(question);
  const nextLine = (prompt) => reader.next(prompt);
  try {
    await greet(api);
    await connected(events);
    for (let text = await nextLine('\n> '); text !== ''; text = await nextLine('\n> ')) {
      const { run } = await api.post(`/threads/${thread.thread_id}/messages`, { msg_text: text });
      await answer(api, events, run, nextLine);
    }
  } catch (error) {
    throw error instanceof ApiError && error.code === 'credits_exhausted' ? withoutCredits(error, tenant_id) : error;
  } finally {
    reader.close();
    await events.return();
  }
}

/** The question of the command line, as if it had been typed; nothing comes behind it. */
function askedOnce(question) {
  const left = [question];
  return {
    next(prompt) {
      const line = left.shift() ?? '';
      say(`${prompt}${line}`);
      return Promise.resolve(line.trim());
    },
    close: () => {},
  };
}

/** Introduces the agent that answers where a thread names none. */
async function greet(api) {
  const { data } = await api.get('/agents?agent_default=true&limit=1');
  if (data.length === 0) throw new Error('The workspace has no default agent.');
  const { agent_name, agent_greeting, agent_starters } = await api.get(`/agents/${data[0].agent_id}`);
  say(`   ${agent_name}: ${agent_greeting || 'Ask me something.'}`);
  for (const starter of agent_starters) say(`     for example: ${starter}`);
  say('   An empty line ends the conversation. Documents are added with: npm run tour -- ask FOLDER "question"');
}

/** Until the stream is open: of what is asked from then on no event is missed. */
async function connected(events) {
  for (;;) {
    const { value } = await events.next();
    if (value.event === 'lock') return;
  }
}

/** Prints the answer of a run as it grows, then what it rests on. */
async function answer(api, events, run, nextLine) {
  const parts = [];
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error('The thread was closed.');
    const { data } = value;
    // The place in the stream was lost, and the answer was finished in between.
    if (value.event === 'lock' && data.resync && data.run_id !== run.run_id)
      return conclude(parts, await api.get(`/threads/${run.run_thread}/messages/${run.run_message}`));
    if (value.event !== 'assistant_message' || data.run_id !== run.run_id) continue;
    if (data.op === 'delta' || data.op === 'part') grow(parts, data);
    else if (data.op === 'reset' || data.op === 'snapshot') startAgain(parts, data.parts ?? data.message.msg_parts);
    else if (data.op === 'wait') await decide(api, run, data, nextLine);
    else if (data.op === 'done') return conclude(parts, data.message);
  }
}

function grow(parts, { op, part, kind, offset, text, value }) {
  const before = parts[part];
  if (op === 'delta') {
    if (offset !== (before?.text ?? '').length) throw new Error('An event of the answer is missing.');
    if (kind === 'text') write(before || textOf(parts) === '' ? text : `\n\n${text}`);
    parts[part] = { kind, text: (before?.text ?? '') + text };
  } else {
    parts[part] = value;
    if (value.kind === 'tool' && !before) say(`   (${value.tool} ${JSON.stringify(value.input)})`);
  }
}

function startAgain(parts, kept) {
  parts.splice(0, parts.length, ...kept);
  write(`\n${textOf(kept)}`);
}

/** A tool that needs the consent of a person. */
async function decide(api, { run_id, run_thread }, { calls, reason }, nextLine) {
  if (reason !== 'approval') throw new Error('The agent calls a tool of its client, which the tour is not.');
  const results = [];
  for (const { call_id, tool, input } of calls)
    results.push({ call_id, approve: /^y/i.test(await nextLine(`\n   May ${tool} run with ${JSON.stringify(input)}? [y/n] `)) });
  await api.post(`/threads/${run_thread}/runs/${run_id}/tool-results`, { results });
}

/** What was printed is what is stored, or it is printed again. */
function conclude(parts, message) {
  if (message.msg_text !== textOf(parts)) write(`\n${message.msg_text}`);
  say();
  if (message.msg_error) say(`   ✗ ${message.msg_error.detail}`);
  for (const { n, title, page_from, quote } of message.msg_citations)
    say(`   [${n}] ${title}${page_from === null ? '' : `, page ${page_from}`}: “${quote}”`);
}

const textOf = (parts) =>
  parts
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text)
    .join('\n\n');

function withoutCredits(error, tenant_id) {
  return new Error(`${error.message}\n\nOn this machine: npm run cli -- credits grant ${tenant_id} --credits 1000`, { cause: error });
}
