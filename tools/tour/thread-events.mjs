// Follows a thread: server-sent events over fetch, connected again where it was cut.
import { TextDecoderStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** The service is away for so long: give up. */
const PATIENCE_MS = 60_000;

/**
 * The events of a thread, each `{ event, data }`, until the reader leaves or the thread is closed to it. After a break the events that
 * were missed come first, since the connection names the last one that was received.
 */
export async function* followThread(api, thread_id) {
  let [id, failures, heard] = [undefined, 0, Date.now()];
  for (;;) {
    try {
      for await (const { id: place, event, data } of eventsOf(await api.stream(`/threads/${thread_id}/events`, id))) {
        [id, failures, heard] = [place ?? id, 0, Date.now()];
        yield { event, data };
        if (data.closed && data.closed !== 'shutdown') return;
      }
    } catch (error) {
      // A refusal of the service is no break of the connection.
      if (error.status !== undefined || Date.now() - heard > PATIENCE_MS) throw error;
    }
    await pause(Math.min(FIRST_PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS));
  }
}

/** The events of one connection: `{ id, event, data }`. An event ends with an empty line; lines that begin with a colon keep it alive. */
async function* eventsOf({ body }) {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const { id, event, data } = fieldsOf(block);
      if (data !== undefined) yield { id, event, data: JSON.parse(data) };
    }
  }
}

function fieldsOf(block) {
  const fields = {};
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name) fields[name] = value;
  }
  return fields;
}
